# cmake -DPROGRAM=<cfdmark> -DFOLDER=<dir> -P write_manual.cmake
# Writes the manual page and the bash completion that the program prints.

cmake_minimum_required(VERSION 3.21)
execute_process(COMMAND "${PROGRAM}" man OUTPUT_FILE "${FOLDER}/cfdmark.1" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PROGRAM}" completion OUTPUT_FILE "${FOLDER}/cfdmark" COMMAND_ERROR_IS_FATAL ANY)

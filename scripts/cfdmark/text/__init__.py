"""Numbers and words as reports print them, and text from outside made safe to print."""

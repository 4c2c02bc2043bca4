"""Meshes a CSG geometry with NetGen and writes it in Gmsh's format 2.2, text. Run by the Python that has NetGen:

    netgen_mesh.py GEOMETRY.geo MAXH OUTPUT.msh

NetGen prints its progress on the standard output; the last line there is a JSON object with the numbers of
nodes, cells and boundary faces.
"""

import json
import os
import sys

from netgen.csg import CSGeometry  # pylint: disable=import-error


def main() -> None:
    geometry, maxh, output = sys.argv[1:]
    mesh = CSGeometry(geometry).GenerateMesh(maxh=float(maxh))
    mesh.Export(output, "Gmsh2 Format")
    counts = {"nodes": len(mesh.Points()), "cells": len(mesh.Elements3D()), "boundary_faces": len(mesh.Elements2D())}
    print("\n" + json.dumps(counts), flush=True)
    # NetGen of Debian 12 aborts when it frees its mesh ("invalid pointer"); by then the file is complete.
    os._exit(0)


if __name__ == "__main__":
    main()

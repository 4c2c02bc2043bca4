"""Loads files of published values."""

from __future__ import annotations

from pathlib import Path

import yaml

from cfdmark.places import PUBLISHED

from .model import Experiment
from .nodes import BadFile, Value
from .schema import read_experiment


def load(path: Path) -> Experiment:
    """Returns the experiment in one file. Raises BadFile, whose text names file, line and fix."""
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: is not UTF-8 text: {error.reason}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadFile(f"{path}:{mark.line + 1}: is not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise BadFile(f"{path}: is not YAML: {' '.join(str(error).split())}") from error
    if node is None:
        raise BadFile(f"{path}:1: the file is empty; results/published/README.md says what it holds")
    return read_experiment(Value(node, path))


def load_all(paths: list[Path]) -> tuple[list[Experiment], list[str]]:
    """Returns the experiments of valid files, and the errors of the others."""
    loaded: dict[str, Experiment] = {}
    wrong = []
    for path in paths:
        try:
            experiment = load(path)
        except BadFile as error:
            wrong.append(str(error))
            continue
        if experiment.id in loaded:
            other = loaded[experiment.id].path
            wrong.append(f"{path}:1: id '{experiment.id}' is also that of {other}; rename one")
        else:
            loaded[experiment.id] = experiment
    return list(loaded.values()), wrong


def shipped() -> list[Path]:
    return sorted(PUBLISHED.glob("*.yaml"))

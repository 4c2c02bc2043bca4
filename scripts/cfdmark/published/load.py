"""Loads files of published values."""

from __future__ import annotations

from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from cfdmark.places import PUBLISHED

from .model import Experiment
from .nodes import BadFile, Value, place_text
from .schema import read_experiment


def load(path: Path) -> Experiment:
    """Returns the experiment in one file. Raises BadFile, whose text names file, line and fix."""
    try:
        # Pure: where libyaml is installed, it reads and places some texts otherwise.
        node = YAML(typ="safe", pure=True).compose(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: is not UTF-8 text: {error.reason}") from error
    except MarkedYAMLError as error:
        raise BadFile(f"{place_text(path, error.problem_mark)}: is not YAML: {error.problem}") from error
    except YAMLError as error:
        raise BadFile(f"{path}: is not YAML: {' '.join(str(error).split())}") from error
    if node is None:
        raise BadFile(f"{path}:1:1: the file is empty; results/published/README.md says what it holds")
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
            wrong.append(f"{path}:1:1: id '{experiment.id}' is also that of {other}; rename one")
        else:
            loaded[experiment.id] = experiment
    return list(loaded.values()), wrong


def shipped() -> list[Path]:
    return sorted(PUBLISHED.glob("*.yaml"))

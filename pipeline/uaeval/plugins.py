"""Load the plugins of installed packages, which register them as entry points."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from traceback import walk_tb
from types import MappingProxyType
from typing import Final, Protocol, TypeVar

from uaeval.errors import ConfigError
from uaeval.user_code import CallOutcome, described

GROUPS: Final = (
    "uaeval.categories",
    "uaeval.readers",
    "uaeval.systems",
    "uaeval.metrics",
    "uaeval.formats",
)
"""The entry-point groups in which a package can register a plugin."""


@cache
def installed(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group, sorted by name."""
    return tuple(sorted(entry_points(group=group), key=lambda entry: entry.name))


@cache
def plugins(group: str) -> Mapping[str, object]:
    """Return the objects of the entry points of a group, by entry-point name.

    Raise `ConfigError` if two packages register the same name, or an object cannot be imported.
    """
    loaded: dict[str, object] = {}
    for entry in installed(group):
        package = package_of(group, entry.name)
        if entry.name in loaded:
            problem = f"two packages register {entry.name!r} in {group}"
            raise ConfigError(f"{problem}: {package}; uninstall one")
        with CallOutcome() as outcome:
            loaded[entry.name] = entry.load()
        if error := outcome.error:
            problem = f"cannot load {entry.name!r} ({entry.value}) of {package}"
            raise ConfigError(f"{group}: {problem}: {described(error)}") from error
    return MappingProxyType(loaded)


def package_of(group: str, name: str) -> str:
    """Return the package that registers `name` in a group; several are joined by `and`."""
    found = (entry.dist for entry in installed(group) if entry.name == name)
    return " and ".join(package.name for package in found if package)


def package_that_failed(error: BaseException) -> str | None:
    """Return the package of a plugin whose code raised an error or passed it on, if any."""
    called = {frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)}
    roots = {module.partition(".")[0] for module in called}
    entries = (entry for group in GROUPS for entry in installed(group))
    failed = (entry for entry in entries if entry.module.partition(".")[0] in roots)
    return next((package_of(entry.group, entry.name) for entry in failed), None)


def refused(group: str, name: str, problem: str) -> ConfigError:
    """Return an error that says what is wrong with a plugin, and names its package."""
    return ConfigError(f"{group}: {name!r} {problem} (package: {package_of(group, name)})")


def installed_prompts() -> dict[str, Path]:
    """Return the prompt files of plugins by name, `<entry name>/<role>`.

    A plugin's prompts are the files `prompts/<role>.md` beside the module that it registers.
    """
    return {
        f"{entry.name}/{path.stem}": path
        for group in GROUPS
        for entry in installed(group)
        for path in _prompts_beside(entry.module)
    }


def _prompts_beside(module: str) -> Iterable[Path]:
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # `plugins` names the package when the object is loaded
        return ()
    return Path(spec.origin).with_name("prompts").glob("*.md") if spec and spec.origin else ()


class Named(Protocol):
    """An object that a registry holds by name."""

    @property
    def name(self) -> str:
        """The name by which users choose it."""


N = TypeVar("N", bound=Named)


def declared(module: str, name: str, kind: type[N]) -> N:
    """Import a module of this package, and return its attribute `name`, which is a `kind`."""
    value = getattr(import_module(module), name)
    assert isinstance(value, kind), f"{module}.{name}"
    return value


def registry(group: str, kind: type[N], built_in: Iterable[N]) -> Mapping[str, N]:
    """Return the built-in objects, then those of plugins, by name.

    Raise `ConfigError` if a plugin cannot be loaded, is no `kind`, or uses a name that is taken.
    """
    by_name = {item.name: item for item in built_in}
    for entry, plugin in plugins(group).items():
        if not isinstance(plugin, kind):
            raise refused(group, entry, f"should be a {kind.__name__}, got {plugin!r:.200}")
        if plugin.name in by_name:
            problem = f"uses the name {plugin.name!r}, which is taken by a built-in one"
            raise refused(group, entry, problem)
        if plugin.name != entry:
            problem = f"registers a {kind.__name__} called {plugin.name!r}; use one name for both"
            raise refused(group, entry, problem)
        by_name[plugin.name] = plugin
    return MappingProxyType(by_name)

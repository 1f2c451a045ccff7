"""A bound scenario packed into its arena: everything that does not depend on a budget."""

from collections.abc import Mapping
from typing import NamedTuple

from smemdsl.core.buffers import Bytes, Packing, PlacedBuffer
from smemdsl.core.confidence import Uncertainty, confidence
from smemdsl.core.errors import ConstraintError, Fault, FaultError
from smemdsl.lowering.timeline import IntervalModel, lower
from smemdsl.packing.peak import Peak, no_reuse, peak
from smemdsl.policies import pack
from smemdsl.scenario.binding import Env, at_least, bind, violated
from smemdsl.scenario.spec import Choice, Condition, Expr, ScenarioSpec, Value


class Options(NamedTuple):
    """What the command line may override in every scenario; None leaves the file's own."""

    policy: str | None = None
    align: Bytes | None = None
    time_limit: float | None = None
    """Seconds that a policy which searches may take."""


class ArenaPlan(NamedTuple):
    """A scenario with its parameters bound and its buffers placed."""

    name: str
    env: Mapping[str, Value]
    """Values of the parameters, and of `threads` and `registers` where the file has them."""
    params: Mapping[str, Value]
    """Values of the parameters alone, in file order."""
    changed: tuple[str, ...]
    """Parameters whose value differs from the file's."""
    policy: str
    lowered: IntervalModel
    packing: Packing
    peak: Peak
    no_reuse: Bytes
    request: Bytes | None
    """Dynamic bytes that the launch asks for, where the file says so."""
    cluster: int | None
    """Blocks of a cluster, where the file says so."""
    violated: tuple[Condition, ...]
    """Constraints that do not hold."""
    spec: ScenarioSpec
    """What it was made from."""
    given: Mapping[str, Choice]
    """Values that stood in for the file's."""
    options: Options
    filled: tuple[str, ...] = ()
    """Parameters, among those given, that `fill` gave the largest value that fits."""

    @property
    def threads(self) -> int | None:
        """Threads of a block as it is launched, a producer's included; None where the file does not say."""
        threads = self._special("threads")
        program = self.lowered.program
        return threads + program.producer_threads if threads and program is not None else threads

    @property
    def registers(self) -> int | None:
        """Registers of a thread; None where the file does not say."""
        return self._special("registers")

    def _special(self, name: str) -> int | None:
        """A number of the file; a parameter may be called so in a file that has no such key."""
        value = self.env.get(name)
        return value if isinstance(value, int) and name not in self.params else None

    @property
    def uncertain(self) -> tuple[Uncertainty, ...]:
        """Why the compiler's own answer may differ; empty where it should not."""
        of_program = self.lowered.program.uncertain if self.lowered.program else ()
        return (*self.spec.uncertain, *of_program)

    @property
    def confidence(self) -> str:
        """How sure the numbers are: `exact`, `bound` or `approximate`."""
        return confidence(self.uncertain)

    @property
    def layout(self) -> tuple[PlacedBuffer, ...]:
        """The buffers of the arena, in file order."""
        lowered = self.lowered
        return tuple(
            PlacedBuffer(b.name, versions, b.bytes, b.align, (b.start, b.end), offset)
            for b, versions, offset in zip(
                lowered.buffers, lowered.versions, self.packing.offsets, strict=True
            )
        )

    @property
    def used(self) -> Bytes:
        """Arena and static bytes: what counts against the budget."""
        return self.packing.arena + self.lowered.static_bytes

    @property
    def dynamic(self) -> Bytes:
        """Dynamic bytes of the launch: the arena, or what is requested instead."""
        return self.packing.arena if self.request is None else self.request

    @property
    def launch(self) -> Bytes:
        """Dynamic and static bytes of the launch: what is judged."""
        return self.dynamic + self.lowered.static_bytes


def make_plan(
    spec: ScenarioSpec, overrides: Mapping[str, Choice] | None = None, options: Options | None = None
) -> ArenaPlan:
    """Bind, lower and pack.

    Raises:
        FaultError: an expression has no value, or a value is out of its range.
        ConstraintError: the same, of a configuration that breaks a constraint.
        UnknownNameError: there is no such policy.
    """
    env = bind(spec, overrides)
    broken = tuple(violated(spec.constraints, env))
    try:
        return plan_bound(spec, env, broken, options, defaults=overrides)
    except FaultError:
        if broken:  # what a constraint rules out need have no meaning
            raise ConstraintError(map(broken_constraint, broken)) from None
        raise


def broken_constraint(constraint: Condition) -> Fault:
    """What is said of a constraint that does not hold."""
    if isinstance(constraint, Expr):
        return Fault(constraint.where, "constraint", f"the constraint {constraint.text} does not hold")
    return Fault(("constraints",), "constraint", "a constraint is false outright")


def plan_bound(
    spec: ScenarioSpec,
    env: Env,
    broken: tuple[Condition, ...] = (),
    options: Options | None = None,
    *,
    defaults: Mapping[str, Choice] | None = None,
) -> ArenaPlan:
    """Lower and pack a scenario whose parameters are bound; `defaults` are the overrides that bound them."""
    options = options or Options()
    lowered = _lower(spec, env, options.align)
    policy = spec.policy if options.policy is None else options.policy
    packing = pack(policy, lowered.buffers, lowered.align, time_limit=options.time_limit)
    params = {name: env[name] for name, _ in spec.params}
    return ArenaPlan(
        spec.name,
        env,
        params,
        _changed(spec, params) if defaults else (),
        policy,
        lowered,
        packing,
        peak(lowered.buffers),
        no_reuse(lowered.buffers),
        _request(spec, env, packing.arena),
        None if spec.cluster is None else at_least(1, spec.cluster, env, "cluster", ("cluster",)),
        broken,
        spec,
        defaults or {},
        options,
    )


def _lower(spec: ScenarioSpec, env: Env, align: Bytes | None) -> IntervalModel:
    if spec.program is None:
        return lower(spec, env, align)
    from smemdsl.lowering.program import lower_program

    return lower_program(spec, spec.program, env, align)


def _changed(spec: ScenarioSpec, params: Mapping[str, Value]) -> tuple[str, ...]:
    """Parameters whose value is not the one that the file alone would give."""
    try:
        own = bind(spec)
    except FaultError:
        return tuple(params)
    return tuple(name for name, value in params.items() if own[name] != value)


def _request(spec: ScenarioSpec, env: Env, arena: Bytes) -> Bytes | None:
    if spec.request is None:
        return None
    request = at_least(0, spec.request, env, "request", ("request",))
    if request < arena:
        where = spec.request.where if isinstance(spec.request, Expr) else ("request",)
        message = f"the launch requests {request} B, but the arena needs {arena} B"
        raise FaultError([Fault(where, "request-below-need", message)])
    return request

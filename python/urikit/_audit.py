"""Compares how many parsers read one URL, and reports disagreements and risks."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple, TypeVar, Union

from urikit import _urikit
from urikit._errors import RejectedError
from urikit._finding import SEVERITIES, Finding
from urikit._names import AuditReader, Keep
from urikit._types import Disputed, Led, Voice

T = TypeVar("T")


class Reading(NamedTuple):
    """The components that a reader finds, each as that reader returns it.

    ``address`` is the IP address to which this reader converts the host. ``has_null_host`` is true
    if the URL has an authority but the reader finds no host, like ``java.net.URI`` in
    ``http://a_b/``. ``path`` is ``None`` only if ``java.net.URI`` returns null: for an opaque URI
    such as ``urn:isbn:1``.
    """

    scheme: str | None
    userinfo: str | None
    host: str | None
    address: str | None
    port: str | None
    path: str | None
    has_null_host: bool


class Rejection(NamedTuple):
    """The reason why a reader rejects a string, and the offset if the reader reports it."""

    reason: str
    offset: int | None


Outcome = Union[Reading, Rejection]


class Agreement(NamedTuple):
    """The results of the readers, and the parts on which they disagree.

    ``disputed`` maps each part to its values and the readers that returned them.
    """

    readings: dict[str, Outcome]
    disputed: dict[str, tuple[tuple[str, tuple[str, ...]], ...]]

    @property
    def is_unanimous(self) -> bool:
        """True if all readers that accept the string find the same scheme, userinfo, host and
        port."""
        return not self.disputed


class Audit(NamedTuple):
    """The results of all readers, the parts on which voters disagree, and the findings by
    offset."""

    agreement: Agreement
    findings: tuple[Finding, ...]

    @property
    def worst(self) -> str | None:
        """The severity of the worst finding: ``info``, ``low``, ``medium`` or ``high``."""
        return max((one.severity for one in self.findings), key=SEVERITIES.index, default=None)


def _outcome(voice: Voice) -> Outcome:
    _, reading, why = voice
    if reading is not None:
        return Reading(*reading)
    assert why is not None
    return Rejection(*why)


def _agreement(voices: list[Voice], disputed: list[Disputed]) -> Agreement:
    return Agreement(
        {voice[0]: _outcome(voice) for voice in voices},
        {
            part: tuple((value, tuple(readers)) for value, readers in sides)
            for part, sides in disputed
        },
    )


def read(text: str, reader: AuditReader) -> Outcome:
    """Parses a string with one reader (``READERS`` lists the names).

    >>> import urikit
    >>> urikit.read("http://0x7f.1:0080/", "curl").host
    '127.0.0.1'
    >>> urikit.read("http://a b/", "rfc3986")
    Rejection(reason='expected a host character, `:`, `@`, `/`, `?`, `#` or the end, but found a space at byte 8 (authority, RFC 3986, 3.2)', offset=8)
    """
    return _outcome(_urikit.read(text, reader))


def agree(text: str) -> Agreement:
    """Parses a string with the readers that vote (``VOTERS``): standards and common parsers.

    >>> import urikit
    >>> urikit.agree("http://example.com/").is_unanimous
    True
    >>> for value, readers in urikit.agree("http://127.1/").disputed["host"]:
    ...     print(value, readers)
    127.1 ('rfc3986', 'lenient', 'urllib')
    127.0.0.1 ('whatwg', 'curl', 'legacy-ipv4')
    """
    return _agreement(*_urikit.agree(text))


def audit(text: str, *, base: str | None = None, keep: Keep = "origin") -> Audit:
    """Parses a string with all readers, and looks for risks. Makes no network requests.

    With ``base``, the string is the target of a link or a redirect on that page. Each reader that
    votes resolves the target, the results describe the resolved targets, and the findings include
    those of ``same_site`` with ``keep``. Raises ``ValueError`` for a base that ``same_site``
    rejects.

    >>> import urikit
    >>> report = urikit.audit("http://user@good.example@10.0.0.1:25/")
    >>> report.worst
    'high'
    >>> [finding.code for finding in report.findings if finding.severity == "high"]
    ['several-at']
    >>> report = urikit.audit("//127.1/", base="https://good.example/login")
    >>> [(finding.code, finding.reader) for finding in report.findings][:2]
    [('leaves-site', None), ('host-disagreement', None)]
    """
    if base is None:
        voices, disputed, findings = _urikit.audit(text)
    else:
        voices, disputed, findings = _urikit.audit_target(text, base, keep)
    return Audit(_agreement(voices, disputed), tuple(Finding(*one) for one in findings))


class Destination(NamedTuple):
    """The target that a reader resolves.

    ``target`` is the resolved target as this reader writes it. ``keeps`` is true if the target
    keeps the origin or the domain of the base.
    """

    target: str
    reading: Reading
    keeps: bool


class SameSite(NamedTuple):
    """The result of ``same_site``, which is true if the target passes.

    ``readings`` maps each reader to the target that it resolves, or to the reason why it rejects
    the target. ``findings`` are those about the complete target.
    """

    passes: bool
    readings: dict[str, Union[Destination, Rejection]]
    findings: tuple[Finding, ...]

    def __bool__(self) -> bool:
        return self.passes


def same_site(base: str, target: str, keep: Keep = "origin") -> SameSite:
    """Decides whether a target, for example of a redirect, stays on the site of ``base``.

    Resolves the target with each reader that votes. The target passes only if ``rfc3986`` and
    ``whatwg`` accept it, and every reader that accepts it keeps the origin or, with
    ``keep="domain"``, the registrable domain. ``target`` is the exact text of ``Location`` or
    ``href``. Raises ``ValueError`` if the base is not an absolute http(s) URL without a user on
    which all readers agree.

    >>> import urikit
    >>> if urikit.same_site("https://good.example/login", "/account"):
    ...     print("redirect")
    redirect
    >>> answer = urikit.same_site("https://good.example/login", "/\\\\evil.example/")
    >>> answer.passes
    False
    >>> answer.readings["whatwg"].target
    'https://evil.example/'
    >>> [finding.code for finding in answer.findings]
    ['leaves-site', 'validity-disagreement', 'host-disagreement']
    """
    passes, readings, findings = _urikit.same_site(base, target, keep)
    return SameSite(
        passes,
        {led[0]: _destination(led) for led in readings},
        tuple(Finding(*one) for one in findings),
    )


def _destination(led: Led) -> Destination | Rejection:
    _, to, keeps, why = led
    if to is not None:
        target, parts = to
        return Destination(target, Reading(*parts), keeps)
    assert why is not None
    return Rejection(*why)


class Checked(NamedTuple):
    """The parts of a URL that passed a gate. Use these parts instead of the original string."""

    scheme: str
    host: str
    port: int | None


class Gate:
    """Checks untrusted URLs. By default, only public ``http`` and ``https`` URLs pass.

    A URL passes if all readers agree on it, none of its findings is serious, and its scheme, host
    and port are allowed. Names are not looked up. The code that connects must check the resolved
    address.

    ``schemes`` are the allowed schemes, instead of ``http`` and ``https``. ``ports`` are the
    allowed ports, instead of the default port of each scheme; list the default ports too if URLs
    may use them.

    ``hosts`` are names of hosts, ``domains`` are names that include all their subdomains, and
    ``addresses`` are IP addresses. If any of the three is given, only the hosts in these lists are
    allowed: no host at all if the lists are empty. A listed host may be private or local. By
    default, every host is allowed whose address is public or unknown.

    ``reject_from`` is the lowest severity of findings that cause a URL to be rejected: ``info``,
    ``low``, ``medium`` or ``high``. Disputed URLs, addresses that are not public, and everything
    that a list does not allow are always rejected.

    >>> import urikit
    >>> gate = urikit.Gate()
    >>> gate.check("https://Example.com/a")
    Checked(scheme='https', host='example.com', port=443)
    >>> gate.is_allowed("http://127.1/")
    False
    >>> urikit.Gate(domains=["example.com"]).is_allowed("https://notexample.com/")
    False
    >>> urikit.Gate(schemes=["https"]).is_allowed("http://example.com/")
    False
    """

    __slots__ = ("_arguments", "_gate")

    def __init__(
        self,
        *,
        schemes: Iterable[str] | None = None,
        ports: Iterable[int] | None = None,
        hosts: Iterable[str] | None = None,
        domains: Iterable[str] | None = None,
        addresses: Iterable[str | IPv4Address | IPv6Address] | None = None,
        reject_from: str = "medium",
    ) -> None:
        known = _list("addresses", addresses)
        self._arguments = (
            _list("schemes", schemes),
            _list("ports", ports),
            _list("hosts", hosts),
            _list("domains", domains),
            None if known is None else [str(address) for address in known],
            reject_from,
        )
        self._gate = _urikit.Gate(*self._arguments)

    def check(self, text: str) -> Checked:
        """Returns the checked parts, or raises ``RejectedError`` with the findings."""
        return Checked(*self._gate.check(text))

    def is_allowed(self, text: str) -> bool:
        """Returns true if a URL passes."""
        try:
            self._gate.check(text)
        except RejectedError:
            return False
        return True

    def __reduce__(self) -> tuple[object, ...]:
        return (_gate, self._arguments)


def _list(name: str, values: Iterable[T] | None) -> list[T] | None:
    # Iterating over a string would yield its characters, which is never what the caller meant.
    if isinstance(values, (str, bytes)):
        raise TypeError(f"expected a list for {name}, but found {values!r}")
    return None if values is None else list(values)


def _gate(
    schemes: list[str] | None,
    ports: list[int] | None,
    hosts: list[str] | None,
    domains: list[str] | None,
    addresses: list[str] | None,
    reject_from: str,
) -> Gate:
    return Gate(
        schemes=schemes,
        ports=ports,
        hosts=hosts,
        domains=domains,
        addresses=addresses,
        reject_from=reject_from,
    )

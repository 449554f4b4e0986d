"""What is returned goes through the APIs' own clients, and arrives as it is."""

from __future__ import annotations

import inspect
import json
import socket

import anthropic
import openai
import pytest

from prompts_app import messages, registry, services
from prompts_app.assembly import Snapshot
from prompts_app.declarations import Tool, object_schema
from prompts_app.preview import scenario_arguments
from tests.apis import ANSWER, serve
from tests.assembling import tool
from tests.messaging import CARRIERS, USER, conversation, prompt, texts, told

SCENARIOS = list(registry.view().scenarios.values())
HOSTILE = 'Say "no" to <b>, \\n, \r\n, \0, {{x}}, \u2028, \u202e, \ufeff and 🧭'
LOOSE = Tool("loose", description="", parameters={"type": "object"}, strict=False)
MARK = {"cache_control": {"type": "ephemeral"}}
TEXT = {"type": "text", "text": "Hello"}
CALL = {"id": "1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
RESULT = {"type": "tool_result", "tool_use_id": "1", "content": "…"}
every_api = pytest.mark.parametrize("api", ["responses", "chat", "anthropic"])


@pytest.fixture(scope="module")
def apis():
    """Run the APIs for the tests of this module."""
    with serve() as running:
        yield running


def send(apis, api, assembly, **options):
    """Send an assembly by a client; return what arrived and what came back."""
    if api == "anthropic":
        request = messages.anthropic(assembly, **options)
        answer = apis.converse(request)
    else:
        request = messages.openai(assembly, api=api, **options)
        answer = (apis.respond if api == "responses" else apis.complete)(request)
    body = apis.bodies[-1]
    plain = json.loads(json.dumps(request, default=lambda item: item.to_dict()))
    assert plain.items() <= body.items()
    return body, answer


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.key)
@every_api
def test_every_scenario_is_accepted(apis, api, scenario, carrier):
    """Each with all its tools, its authored prompt and every lane."""
    arguments = scenario_arguments(
        services.view_of(scenario.scope, Snapshot()), scenario
    )
    assembly = services.assemble(overrides=Snapshot(), **arguments)

    body, _ = send(
        apis,
        api,
        assembly,
        messages=[USER],
        authored=scenario.authored,
        carrier=carrier,
    )

    said = [*prompt(body), *conversation(body)]
    assert len(body.get("tools", ())) == len(scenario.tools)
    for lane in assembly.lanes.values():
        assert (lane.text in str_of(said)) or not lane.text


def str_of(items):
    """Return all texts in parts, messages and messages of parts, one after another."""
    found = ""
    for item in items:
        content = item.get("text", item.get("content"))
        found += content if isinstance(content, str) else str_of(content)
    return found


@every_api
@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.case(16)
def test_no_byte_is_changed_on_the_way(apis, api, carrier):
    """Controls, quotes, markup and other planes arrive as they were put in."""
    assembly = told(fixed=HOSTILE, call=HOSTILE)

    body, _ = send(
        apis, api, assembly, messages=[USER], authored=HOSTILE, carrier=carrier
    )

    assert str_of([*body.get("system", ()), *conversation(body)]).count(HOSTILE) == 3


@every_api
def test_breakpoints_are_accepted(apis, api):
    """With the longest time there is, and with a conversation's own behind them."""
    mark = {"cache_control": {"type": "ephemeral"}} if api == "anthropic" else {}
    kind = "input_text" if api == "responses" else "text"
    part = {"type": kind, "text": "Hello", **mark}

    body, _ = send(
        apis,
        api,
        told(tools=[tool("read")]),
        messages=[{"role": "user", "content": [part] * 2}],
        ttl="1h" if api == "anthropic" else "12h",
    )

    name = "cache_control" if api == "anthropic" else "prompt_cache_breakpoint"
    assert [name in block for block in prompt(body)] == [True, True]


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_response_is_continued(apis, carrier):
    """The items of the client's answer go back as they are, with a tool's result."""
    assembly = told(tools=[tool("read")])
    _, answer = send(apis, "responses", assembly, messages=[USER], carrier=carrier)
    result = {"type": "function_call_output", "call_id": "call_1", "output": "…"}

    body, _ = send(
        apis,
        "responses",
        assembly,
        messages=[USER, *answer.output, result],
        carrier=carrier,
    )

    kinds = [item.get("type", item.get("role")) for item in body["input"]]
    rest = {"message": ["developer"], "reminder": ["user"], "prompt": []}[carrier]
    assert kinds == [
        *("developer", "user", "message", "function_call", "function_call_output"),
        *rest,
    ]
    assert body["input"][2]["content"][0]["text"] == ANSWER


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_completion_is_continued(apis, carrier):
    """The message of the client's answer goes back as it is."""
    assembly = told(tools=[tool("read")])
    _, answer = send(apis, "chat", assembly, messages=[USER], carrier=carrier)
    result = {"role": "tool", "tool_call_id": "call_1", "content": "…"}

    body, _ = send(
        apis,
        "chat",
        assembly,
        messages=[USER, answer.choices[0].message, result],
        carrier=carrier,
    )

    rest = {"message": ["developer"], "reminder": ["user"], "prompt": []}[carrier]
    assert [message["role"] for message in body["messages"]] == [
        *("developer", "user", "assistant", "tool"),
        *rest,
    ]


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_message_is_continued(apis, carrier):
    """The blocks of the client's answer go back as they are, with a tool's result."""
    assembly = told(tools=[tool("read")])
    _, answer = send(apis, "anthropic", assembly, messages=[USER], carrier=carrier)
    result = {"type": "tool_result", "tool_use_id": "call_1", "content": "…"}

    body, _ = send(
        apis,
        "anthropic",
        assembly,
        messages=[
            USER,
            {"role": "assistant", "content": answer.content},
            {"role": "user", "content": [result]},
        ],
        carrier=carrier,
    )

    rest = ["system"] if carrier == "message" else []
    assert [message["role"] for message in body["messages"]] == [
        *("user", "assistant", "user"),
        *rest,
    ]
    assert body["messages"][2]["content"][0] == result
    assert body["messages"][1]["content"][0]["text"] == ANSWER


@every_api
def test_what_was_sent_can_be_the_history(apis, api):
    """Who may not change what was sent keeps it, and what is said later is added."""
    assembly = told(fixed="", conversation="")
    first, _ = send(apis, api, assembly, messages=[USER], carrier="reminder")
    history = [*conversation(first), {"role": "assistant", "content": "Yes."}, USER]

    second, _ = send(apis, api, assembly, messages=history, carrier="reminder")

    assert conversation(second)[:-1] == history[:-1]
    assert len(conversation(second)[-1]["content"]) == 3


@pytest.mark.parametrize("client", [anthropic.Anthropic, anthropic.AsyncAnthropic])
def test_the_other_calls_of_anthropics_take_the_same(client):
    """Streams, counts of tokens and parsed answers, waited for or not."""
    calls = client(api_key="none").messages
    request = messages.anthropic(told(tools=[tool("read")]), messages=[USER])

    for call in (calls.create, calls.stream, calls.count_tokens, calls.parse):
        assert request.keys() <= inspect.signature(call).parameters.keys()


@pytest.mark.parametrize("client", [openai.OpenAI, openai.AsyncOpenAI])
def test_the_other_calls_of_openais_take_the_same(client):
    """Only a count of tokens has no use for the name of a cache."""
    running = client(api_key="none")
    by_api = {"responses": running.responses, "chat": running.chat.completions}
    request = messages.openai(told(tools=[tool("read")]), cache_key="")

    for api, calls in by_api.items():
        full = messages.openai(told(tools=[tool("read")]), api=api)
        for call in (calls.create, calls.stream, calls.parse):
            assert full.keys() <= inspect.signature(call).parameters.keys()
    count = inspect.signature(running.responses.input_tokens.count)
    assert request.keys() <= count.parameters.keys()


def test_nothing_leaves_this_machine(apis):
    """A client that is told of no address, or of another, does not get there."""
    with pytest.raises(PermissionError, match="is not this machine"):
        socket.create_connection(("192.0.2.1", 9), timeout=1)
    with pytest.raises(openai.APIConnectionError):
        apis.openai.with_options(base_url="http://192.0.2.1").models.list()


def changed(api, change):
    """Return a request that is right but for what *change* does to it."""
    assembly = told(tools=[tool("read"), LOOSE])
    if api == "anthropic":
        request = messages.anthropic(assembly, messages=[USER, USER], carrier="prompt")
    else:
        request = messages.openai(assembly, api=api, messages=[USER])
    change(request)
    return request


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(extra_body={"system": "…"}),
        lambda r: r.update(input=[]),
        lambda r: r["input"][0].update(role="tool"),
        lambda r: r["input"][0].update(content=[]),
        lambda r: r["input"][0]["content"][0].update(text=" "),
        lambda r: r["input"][0]["content"][0].update(type="text"),
        lambda r: r["input"][0]["content"][0].update(MARK),
        lambda r: r["input"][0]["content"][0].update(prompt_cache_breakpoint={}),
        lambda r: r["input"].append({"type": "reminder"}),
        lambda r: r.update(tools=[]),
        lambda r: r["tools"].append(r["tools"][0]),
        lambda r: r["tools"][0].update(description=""),
        lambda r: r["tools"][0].update(family=""),
        lambda r: r["tools"][0].pop("strict"),
        lambda r: r["tools"][0].update(strict=True),
        lambda r: r.update(prompt_cache_key="x" * 65),
    ],
)
def test_the_server_is_as_strict_as_the_responses_api(apis, change):
    """A test that passes against it says something."""
    with pytest.raises(openai.BadRequestError):
        apis.respond(changed("responses", change))


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(extra_body={"input": []}),
        lambda r: r.update(messages=[]),
        lambda r: r.update(metadata={"prompt_version": "1"}),
        lambda r: r["messages"][0].update(role="model"),
        lambda r: r["messages"][0]["content"][0].update(type="input_text"),
        lambda r: r["messages"].append({"role": "tool", "tool_call_id": "1"}),
        lambda r: r["messages"].insert(0, {"role": "assistant", "tool_calls": [CALL]}),
        lambda r: r.update(tools=[]),
        lambda r: r["tools"][0].update(strict=True),
        lambda r: r["tools"][1]["function"].update(
            parameters=object_schema({"a": {}}) | {"required": []}
        ),
        lambda r: r["tools"][1]["function"].update(
            parameters=object_schema({}) | {"additionalProperties": True}
        ),
    ],
)
def test_the_server_is_as_strict_as_chat_completions(apis, change):
    """So is what it says of the older form."""
    with pytest.raises(openai.BadRequestError):
        apis.complete(changed("chat", change))


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(extra_body={"input": []}),
        lambda r: r.update(system=[]),
        lambda r: r["system"][0].update(text=""),
        lambda r: r["system"][0].update(cache_control={"type": "eternal"}),
        lambda r: r["system"][0].update(cache_control={"type": "ephemeral", "ttl": 5}),
        lambda r: r["system"][1]["cache_control"].update(ttl="1h"),
        lambda r: r["messages"][0].update(content=[{**TEXT, **MARK}] * 3),
        lambda r: r.update(messages=[]),
        lambda r: r["messages"][0].update(role="assistant"),
        lambda r: r["messages"][1].update(role="developer"),
        lambda r: r["messages"][1].update(name="Ada"),
        lambda r: r["messages"][1].update(content=[]),
        lambda r: r["messages"][1].update(content=""),
        lambda r: r["messages"][0].update(content=[TEXT, RESULT]),
        lambda r: r["messages"][0].update(content=[RESULT]),
        lambda r: r["messages"].insert(1, {"role": "system", "content": "Now."}),
        lambda r: r["messages"].extend([{"role": "system", "content": "Now."}] * 2),
        lambda r: r.update(tools=[]),
        lambda r: r["tools"].append(r["tools"][0]),
        lambda r: r["tools"][0].update(parameters={}),
        lambda r: r["tools"][0].update(input_schema={"type": "string"}),
        lambda r: r["tools"][0].update(strict=True),
    ],
)
def test_the_server_is_as_strict_as_anthropics(apis, change):
    """So is what it says of the other one."""
    with pytest.raises(anthropic.BadRequestError):
        apis.converse(changed("anthropic", change))


@every_api
def test_what_the_changed_requests_begin_with_is_right(apis, api):
    """So that what refuses them is the change."""
    request = changed(api, lambda request: None)
    call = {"anthropic": apis.converse, "chat": apis.complete}.get(api, apis.respond)

    assert call(request).id
    assert texts(prompt(apis.bodies[-1]))[0] == "Fixed."

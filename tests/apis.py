"""
The model APIs on this machine: a server that is as strict as they are.

It refuses what they refuse, by rules written down here and not taken from the
package, and keeps what came. While it runs, nothing leaves the machine.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock

import anthropic
import openai
from anthropic.types import MessageCreateParams, TextBlockParam, ToolParam
from openai.types.chat import CompletionCreateParams
from openai.types.responses import ResponseCreateParams

ANSWER = "Understood."


class Refused(Exception):
    """What the API would answer with status 400."""


def demand(truth: object, fault: str) -> None:
    """Refuse the request unless *truth* is true."""
    if not truth:
        raise Refused(fault)


def known(params: Any) -> set[str]:
    """Return the arguments that a client's type of a whole body knows."""
    return set().union(*(kind.__annotations__ for kind in params.__args__))


def check_text(block: dict[str, Any], kind: str, *more: str) -> None:
    """Refuse anything but a text block of *kind* with no field but *more*."""
    demand(block.get("type") == kind, f"{block.get('type')} is not {kind}")
    demand(isinstance(block["text"], str) and block["text"].strip(), "empty text")
    demand(set(block) <= {"type", "text", *more}, f"unknown field in {sorted(block)}")


def check_schema(schema: Any, *, all_required: bool) -> None:
    """Refuse a schema that strict mode does not take, at any depth."""
    if isinstance(schema, list):
        for one in schema:
            check_schema(one, all_required=all_required)
    if not isinstance(schema, dict):
        return
    if "object" in str(schema.get("type")):
        demand(schema.get("additionalProperties") is False, "additionalProperties")
        names = sorted(schema.get("properties", {}))
        demand(not all_required or sorted(schema["required"]) == names, "required")
    for one in schema.values():
        check_schema(one, all_required=all_required)


def check_names(tools: list[dict[str, Any]]) -> None:
    """Refuse an empty list, names twice, and descriptions that say nothing."""
    demand(tools, "tools is empty")
    names = [tool["name"] for tool in tools]
    demand(len(set(names)) == len(names), "tool names must be unique")
    demand(all(tool.get("description", "-").strip() for tool in tools), "description")


def check_function(tool: dict[str, Any], fields: set[str]) -> None:
    """Refuse a function that OpenAI does not take."""
    demand(set(tool) <= {*fields, "description"}, f"unknown field in {sorted(tool)}")
    demand(fields <= set(tool), f"missing field in {sorted(tool)}")
    demand(isinstance(tool["strict"], bool), "strict")
    if tool["strict"]:
        demand(tool["parameters"]["type"] == "object", "parameters.type")
        check_schema(tool["parameters"], all_required=True)


def check_parts(message: dict[str, Any], kind: str, roles: set[str]) -> None:
    """Refuse a message of OpenAI's with another role or with an empty content."""
    demand(message["role"] in roles, f"role {message['role']}")
    is_answer = message["role"] == "assistant" and kind == "input_text"
    kind = "output_text" if is_answer else kind
    more = ("annotations", "logprobs") if is_answer else ("prompt_cache_breakpoint",)
    content = message["content"]
    if isinstance(content, str):
        content = [{"type": kind, "text": content}]
    demand(content, "content is empty")
    for part in content:
        check_text(part, kind, *more)
        mark = part.get("prompt_cache_breakpoint", {"mode": "explicit"})
        demand(mark["mode"] == "explicit", "prompt_cache_breakpoint.mode")
        demand(mark.get("ttl", "30m") in ("30m", "12h"), "prompt_cache_breakpoint.ttl")


def check_responses(body: dict[str, Any]) -> None:
    """Refuse what the Responses API refuses."""
    demand(set(body) <= known(ResponseCreateParams), "unknown argument")
    demand(body["model"] and body["input"], "model and input are required")
    roles = {"user", "assistant", "developer", "system"}
    for item in body["input"]:
        if item.get("type", "message") == "message":
            check_parts(item, "input_text", roles)
        else:
            demand(
                item["type"] in ("function_call", "function_call_output"), item["type"]
            )
    if "tools" in body:
        check_names(body["tools"])
        for tool in body["tools"]:
            check_function(tool, {"type", "name", "parameters", "strict"})
    demand(len(body.get("prompt_cache_key", "-")) <= 64, "prompt_cache_key")


def check_chat(body: dict[str, Any]) -> None:
    """Refuse what the chat completions refuse."""
    demand(set(body) <= known(CompletionCreateParams), "unknown argument")
    demand(body["model"] and body["messages"], "model and messages are required")
    waiting: set[str] = set()
    for message in body["messages"]:
        if message["role"] == "tool":
            demand(message["tool_call_id"] in waiting, "tool_call_id")
            waiting.remove(message["tool_call_id"])
        elif message.get("tool_calls"):
            waiting = {call["id"] for call in message["tool_calls"]}
        else:
            demand(not waiting, "tool calls without results")
            roles = {"user", "assistant", "developer", "system"}
            check_parts(message, "text", roles)
    demand("metadata" not in body or body.get("store"), "metadata without store")
    if "tools" in body:
        demand(all(set(t) == {"type", "function"} for t in body["tools"]), "tools")
        functions = [tool["function"] for tool in body["tools"]]
        check_names(functions)
        for function in functions:
            check_function(function, {"name", "parameters", "strict"})
    demand(len(body.get("prompt_cache_key", "-")) <= 64, "prompt_cache_key")


def check_messages(body: dict[str, Any]) -> None:
    """Refuse what Anthropic's Messages API refuses."""
    demand(set(body) <= known(MessageCreateParams), "unknown argument")
    demand(body["model"] and body["max_tokens"] > 0, "model and max_tokens")
    demand("system" not in body or body["system"], "system is empty")
    blocks = [*body.get("tools", ()), *body.get("system", ())]
    for block in body.get("system", ()):
        check_text(block, "text", *TextBlockParam.__annotations__)
    if "tools" in body:
        check_names(body["tools"])
        for tool in body["tools"]:
            demand(set(tool) <= set(ToolParam.__annotations__), "unknown field")
            demand(tool["input_schema"]["type"] == "object", "input_schema.type")
            if tool.get("strict"):
                check_schema(tool["input_schema"], all_required=False)
    check_turns(body["messages"])
    for message in body["messages"]:
        blocks += [] if isinstance(message["content"], str) else message["content"]
    check_breakpoints([block for block in blocks if block.get("cache_control")])


def check_turns(messages: list[dict[str, Any]]) -> None:
    """Refuse messages in an order, or with a content, that cannot be."""
    demand(messages and messages[0]["role"] == "user", "the first has to be a user's")
    calls: set[str] = set()
    for before, message, after in zip(
        [{}, *messages], messages, [*messages[1:], {}], strict=False
    ):
        demand(message["role"] in ("user", "assistant", "system"), message["role"])
        demand(set(message) == {"role", "content"}, f"unknown field in {message}")
        if message["role"] == "system":
            demand(before["role"] == "user", "a system message follows a user's")
            follower = after.get("role", "assistant")
            demand(follower == "assistant", "an assistant's follows a system message")
        content = message["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        demand(content, "content is empty")
        results = [b["tool_use_id"] for b in content if b["type"] == "tool_result"]
        ahead = content[: len(results)]
        demand(all(b["type"] == "tool_result" for b in ahead), "results come first")
        demand(set(results) == (calls if message["role"] == "user" else set()), "ids")
        for block in content:
            if block["type"] == "text":
                check_text(block, "text", *TextBlockParam.__annotations__)
        if message["role"] != "system":
            calls = {block["id"] for block in content if block["type"] == "tool_use"}


def check_breakpoints(blocks: list[dict[str, Any]]) -> None:
    """Refuse more than four, and one that holds longer than one before it."""
    demand(len(blocks) <= 4, f"at most 4 breakpoints, not {len(blocks)}")
    marks = [block["cache_control"] for block in blocks]
    demand(all(mark["type"] == "ephemeral" for mark in marks), "cache_control.type")
    ttls = [mark.get("ttl", "5m") for mark in marks]
    demand(set(ttls) <= {"5m", "1h"}, "cache_control.ttl")
    demand(ttls == sorted(ttls), "a ttl of 1h cannot come after one of 5m")


RULES = {
    "/v1/responses": check_responses,
    "/v1/chat/completions": check_chat,
    "/v1/messages": check_messages,
}
ANSWERS: dict[str, dict[str, Any]] = {
    "/v1/responses": {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": "trial",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "output": [
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": ANSWER, "annotations": []}],
            },
            {
                "type": "function_call",
                "id": "fc_1",
                "call_id": "call_1",
                "name": "read",
                "arguments": "{}",
                "status": "completed",
            },
        ],
    },
    "/v1/chat/completions": {
        "id": "chatcmpl_1",
        "object": "chat.completion",
        "created": 0,
        "model": "trial",
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {
                    "role": "assistant",
                    "content": ANSWER,
                    "tool_calls": [
                        {
                            "id": "call_1",
                            "type": "function",
                            "function": {"name": "read", "arguments": "{}"},
                        }
                    ],
                },
            }
        ],
    },
    "/v1/messages": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "trial",
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [
            {"type": "text", "text": ANSWER},
            {"type": "tool_use", "id": "call_1", "name": "read", "input": {}},
        ],
    },
}


class Apis:
    """The running server: the clients that talk to it, and what came."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.bodies: list[dict[str, Any]] = []
        self.openai = openai.OpenAI(
            base_url=f"{address}/v1",
            api_key="none",
            max_retries=0,
            http_client=openai.DefaultHttpxClient(trust_env=False),
        )
        self.anthropic = anthropic.Anthropic(
            base_url=address,
            api_key="none",
            max_retries=0,
            http_client=anthropic.DefaultHttpxClient(trust_env=False),
        )

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return status and body of the answer to a request."""
        self.bodies.append(body)
        try:
            RULES[path](body)
        except (Refused, KeyError, TypeError) as fault:
            return 400, {"error": {"message": repr(fault), "type": "invalid_request"}}
        return 200, ANSWERS[path]

    def respond(self, request: dict[str, Any]) -> Any:
        """Send *request* to the Responses API; return what the client makes of it."""
        return self.openai.responses.create(model="trial", **request)

    def complete(self, request: dict[str, Any]) -> Any:
        """Send *request* to the chat completions."""
        return self.openai.chat.completions.create(model="trial", **request)

    def converse(self, request: dict[str, Any]) -> Any:
        """Send *request* to Anthropic's Messages API."""
        return self.anthropic.messages.create(model="trial", max_tokens=100, **request)


_connect = socket.socket.connect


def connect_here(self: socket.socket, address: Any) -> None:
    """Connect to this machine only."""
    if address[0] != "127.0.0.1":
        raise PermissionError(f"{address[0]} is not this machine")
    _connect(self, address)


@contextmanager
def serve() -> Iterator[Apis]:
    """Run the server for a block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            status, answer = apis.answer(self.path, json.loads(self.rfile.read(size)))
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Keep the test's output to itself."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        apis = Apis(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            with mock.patch.object(socket.socket, "connect", connect_here):
                yield apis
        finally:
            apis.openai.close()
            apis.anthropic.close()
            server.shutdown()
            thread.join()

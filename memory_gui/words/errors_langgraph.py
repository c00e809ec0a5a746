# SPDX-License-Identifier: MIT
"""The words of errors of values in JSON, and of LangGraph's files."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

LANGGRAPH_ERRORS: dict[str, ErrorWords] = {
    "json.broken": ErrorWords(
        N_("This is no valid JSON: see line {line}, column {column}."),
        N_("Look there for a comma, a bracket or a quotation mark. Nothing was written."),
    ),
    "json.refused": ErrorWords(
        N_("This is no JSON value that can be stored."),
        N_("One value, without NaN or half characters, not nested deeper than can be read."),
    ),
    "langgraph.no_object": ErrorWords(
        N_("LangGraph keeps objects: the value must stand in braces."),
        N_("Put braces around it, and a name before each value. Nothing was written."),
    ),
    "langgraph.namespace": ErrorWords(
        N_("A namespace is one or more names with dots between them, none of them empty."),
        N_("Give it one, such as memories.lin."),
    ),
    "langgraph.reserved": ErrorWords(
        N_("Namespaces that begin with “{name}” are LangGraph's own."),
        N_("Choose another first name."),
    ),
    "langgraph.key": ErrorWords(
        N_("An item needs a key."), N_("Give it one; it is unique in its namespace.")
    ),
    "langgraph.large": ErrorWords(
        N_("These threads have {size} MB; a delete that can be undone takes at most {limit}."),
        N_("Delete fewer at once, or erase them."),
    ),
}

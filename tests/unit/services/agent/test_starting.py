# SPDX-License-Identifier: MIT
"""What an agent is started with, the line that starts it, and what it will be given."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Passphrase, RawKey
from memory_gui.services.agent.starting import start_line

KEY, OTHER = RawKey(bytes(range(32))), RawKey(bytes(range(1, 33)))


class TestPlaces:
    @pytest.fixture
    def places(self, services_in, tmp_path):
        """Both stores of the project folder ``atlas``, with a key that is given."""
        agents = services_in(tmp_path).agents

        def look(key=None):
            paths = agents.paths(tmp_path / "atlas")
            return [agents.place(role, path, key) for role, path in paths.items()]

        return look

    def test_stores_that_are_not_there(self, places, tmp_path):
        project, user = places()
        assert (project.role, project.is_new, project.key) == ("project", True, None)
        assert user.path == tmp_path / "home/.agentao/memory.db"
        assert list(tmp_path.rglob("memory.db")) == []

    def test_one_encrypted_and_one_readable(self, empty_store, places, tmp_path):
        empty_store(tmp_path / "atlas/.agentao", KEY)
        empty_store(tmp_path / "home/.agentao")
        project, user = places(KEY)
        assert (project.key, project.encrypted, project.is_new) == (KEY, True, False)
        assert (user.key, user.encrypted, user.is_new) == (None, False, False)
        assert KEY.hex() not in repr((project, user))

    def test_without_a_key_it_is_said_which_result_it_was(self, empty_store, places, tmp_path):
        empty_store(tmp_path / "atlas/.agentao", KEY)
        with pytest.raises(UserError) as caught:
            places()
        assert caught.value.code == "key.needed"
        assert caught.value.params["reason"] == "unavailable"

    @pytest.mark.parametrize(
        ("key", "code"), [(OTHER, "key.wrong"), (Passphrase("x"), "agent.raw_key")]
    )
    def test_a_key_that_does_not_do(self, empty_store, places, tmp_path, key, code):
        empty_store(tmp_path / "atlas/.agentao", KEY)
        with pytest.raises(UserError) as caught:
            places(key)
        assert caught.value.code == code


class TestLine:
    def test_of_a_project_and_of_a_person(self, pair):
        words = shlex.split(start_line(pair.project.info))
        assert words == ["cd", str(pair.folder / "atlas"), "&&", "memory-cli", "agent", "agentao"]
        assert start_line(pair.user.info) == "memory-cli agent agentao"

    def test_a_folder_with_odd_characters_is_quoted(self, pair):
        info = replace(pair.project.info, path="/tmp/it's; rm -rf x/.agentao/memory.db")
        assert shlex.split(start_line(info))[:2] == ["cd", "/tmp/it's; rm -rf x"]

    def test_of_another_format(self, pair):
        assert start_line(replace(pair.project.info, format="facts")) is None


class TestView:
    def test_both_stores_of_an_agent(self, pair):
        for scope, title in (("project", "ferry"), ("user", "tea")):
            store = pair.project if scope == "project" else pair.user
            fields = {"title": title, "text": f"about {title}", "scope": scope, "type": "decision"}
            pair.services.editing.add(store.id, NewRecord("memory", fields))
        view = pair.services.agent_views.view(pair.project, "tell me about the ferry")
        assert (view.lone, view.memories) == (False, 2)
        assert "about ferry" in view.stable.text
        assert "about tea" in view.stable.text
        # Nothing is given twice: what stands in the block is not recalled.
        assert view.recall is not None
        assert view.recall.text == ""

    def test_one_alone_says_so(self, single):
        view = single.services.agent_views.view(single.project)
        assert (view.lone, view.stable.text, view.recall) == (True, "", None)

    def test_the_trash_is_not_given(self, single):
        services, store = single.services, single.project
        fields = {"title": "ferry", "text": "about it", "scope": "project", "type": "decision"}
        services.editing.add(store.id, NewRecord("memory", fields))
        (ref,) = services.agent_views.view(store).stable.shown
        services.editing.trash([ref])
        assert services.agent_views.view(store).stable.text == ""

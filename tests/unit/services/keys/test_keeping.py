# SPDX-License-Identifier: MIT
"""Keys go into a keychain, from one to another, and out: nothing is removed before it is proved."""

from __future__ import annotations

import pytest
from keychains import SECRETS, WALLET, ManyKeychains

from memory_gui.domain.errors import Cancelled, IntegrityError, UserError
from memory_gui.domain.keys import Absent, Denied, Locked, Passphrase, Present, RawKey, Unavailable
from memory_gui.domain.work import CancelToken
from memory_gui.engine.connection import open_database
from memory_gui.services import KeyPlace, build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.contract import service_of
from memory_gui.words import Words

KEY = RawKey(bytes(range(32)))
OTHER = RawKey(b"o" * 32)


@pytest.fixture
def path(tmp_path):
    (tmp_path / "atlas").mkdir()
    create_store(tmp_path / "atlas/memory.db", KEY)
    return tmp_path / "atlas/memory.db"


@pytest.fixture
def service(path):
    return service_of(path.read_bytes()[:16])


@pytest.fixture
def services_with(tmp_path):
    made = []

    def build(keychain):
        services = build_services(
            words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=keychain
        )
        made.append(services)
        return services

    yield build
    for services in made:
        services.close()


@pytest.fixture
def opened(services_with, path):
    """The store opened with a key that was typed."""

    def build(keychain, key=KEY):
        services = services_with(keychain)
        (store,) = services.library.open(path, key=key, pair=False)
        return services, store.id

    return build


def mine(keychain, service):
    return {(b, slot): key for (b, name, slot), key in keychain.entries.items() if name == service}


class TestKeeping:
    def test_a_typed_key_is_kept_and_found_by_the_next_run(self, opened, path, service):
        keychain = ManyKeychains(SECRETS)
        services, store = opened(keychain)
        assert services.library.store(store).key_place is KeyPlace.TYPED
        kept = services.keys.keep(store)
        assert (kept.place, kept.stays) == (SECRETS, None)
        assert kept.store.key_place is KeyPlace.KEYCHAIN
        assert mine(keychain, service) == {(SECRETS, "a"): KEY}
        services.library.close_all()
        (again,) = services.library.open(path, pair=False)
        assert again.key_place is KeyPlace.KEYCHAIN

    def test_kept_twice_it_is_there_once(self, opened, service):
        keychain = ManyKeychains(SECRETS)
        services, store = opened(keychain)
        services.keys.keep(store)
        services.keys.keep(store)
        assert mine(keychain, service) == {(SECRETS, "a"): KEY}

    def test_an_entry_that_is_there_is_never_written_over(self, opened, service):
        keychain = ManyKeychains(SECRETS)
        keychain.entries[SECRETS, service, "a"] = OTHER
        services, store = opened(keychain)
        services.keys.keep(store)
        assert mine(keychain, service) == {(SECRETS, "a"): OTHER, (SECRETS, "b"): KEY}

    def test_two_foreign_entries_leave_no_place(self, opened, service):
        keychain = ManyKeychains(SECRETS)
        keychain.entries |= {(SECRETS, service, slot): OTHER for slot in "ab"}
        services, store = opened(keychain)
        with pytest.raises(UserError, match=r"keys\.slots_full"):
            services.keys.keep(store)
        assert set(mine(keychain, service).values()) == {OTHER}

    def test_what_does_not_come_back_is_not_kept(self, opened, service):
        keychain = ManyKeychains(SECRETS)
        services, store = opened(keychain)
        keychain.forgets.add(SECRETS)
        with pytest.raises(IntegrityError, match=r"keys\.does_not_open"):
            services.keys.keep(store)
        assert services.library.store(store).key_place is KeyPlace.TYPED

    @pytest.mark.parametrize(
        ("answer", "code"),
        [
            (Locked(SECRETS), "vault.locked"),
            (Denied(SECRETS), "vault.denied"),
            (Unavailable(("silent",)), "vault.silent"),
        ],
    )
    def test_a_keychain_that_cannot_keeps_nothing(self, opened, answer, code):
        keychain = ManyKeychains(SECRETS)
        services, store = opened(keychain)
        keychain.answers[SECRETS] = answer
        with pytest.raises(UserError) as caught:
            services.keys.keep(store)
        assert caught.value.code == code

    def test_of_a_passphrase_only_what_it_makes_is_kept(self, services_with, tmp_path, path):
        words = "correct horse battery"
        with open_database(path, KEY, write=True, maintain=True) as connection:
            connection.execute("PRAGMA rekey = 'correct horse battery'")
        keychain = ManyKeychains(SECRETS)
        services = services_with(keychain)
        (store,) = services.library.open(path, key=Passphrase(words), pair=False)
        services.keys.keep(store.id)
        (key,) = mine(keychain, service_of(path.read_bytes()[:16])).values()
        assert words.encode().hex() not in key.hex()
        services.library.close_all()
        (again,) = services.library.open(path, pair=False)
        assert again.key_place is KeyPlace.KEYCHAIN

    @pytest.mark.parametrize(
        ("place", "key", "may"),
        [
            ("atlas/.agentao/memory.db", Passphrase("words"), True),
            ("elsewhere.db", Passphrase("words"), False),
            ("atlas/.agentao/memory.db", KEY, False),
        ],
    )
    def test_only_a_passphrase_that_nobody_else_needs_may_give_way(
        self, services_with, tmp_path, place, key, may
    ):
        path = tmp_path / "x" / place
        path.parent.mkdir(parents=True)
        create_store(path, KEY)
        if isinstance(key, Passphrase):
            with open_database(path, KEY, write=True, maintain=True) as connection:
                connection.execute("PRAGMA rekey = 'words'")
        services = services_with(ManyKeychains(SECRETS))
        (store,) = services.library.open(path, key=key, pair=False)
        assert services.keys.may_change(store.id) is may

    def test_a_readable_store_has_no_key_to_keep(self, services_with, tmp_path):
        create_store(tmp_path / "plain.db", None)
        services = services_with(ManyKeychains(SECRETS))
        (store,) = services.library.open(tmp_path / "plain.db", pair=False)
        with pytest.raises(UserError, match=r"keys\.readable"):
            services.keys.keep(store.id)


class TestTheBackEndThatMoved:
    """KWallet yesterday, the Secret Service today."""

    @pytest.fixture
    def yesterday(self, opened, path):
        """The key is in KWallet, and that is written down."""
        keychain = ManyKeychains(WALLET)
        services, store = opened(keychain)
        services.keys.keep(store)
        services.library.known()  # opens the ledger, so that it is written down
        services.close()
        keychain.log.clear()
        return keychain

    def test_what_had_it_is_remembered_and_asked_first(self, yesterday, services_with, path):
        yesterday.here = [SECRETS, WALLET]
        services = services_with(yesterday)
        yesterday.entries |= {
            (SECRETS, name, slot): key
            for (_b, name, slot), key in yesterday.entries.items()
            if name.endswith("ledger")
        }
        services.library.known()
        assert services.keys.look(path).recorded == WALLET
        assert isinstance(services.keys.look(path).result, Present)
        assert ("find", WALLET, WALLET) in yesterday.log

    def test_its_absence_elsewhere_is_no_absence(self, yesterday, services_with, path):
        yesterday.here = [SECRETS]
        yesterday.entries |= {
            (SECRETS, name, slot): key
            for (_b, name, slot), key in yesterday.entries.items()
            if name.endswith("ledger")
        }
        services = services_with(yesterday)
        services.library.known()
        result = services.keys.look(path).result
        assert isinstance(result, Unavailable)
        assert result.reasons == (f"not-there:{WALLET}", f"no-key:{SECRETS}")
        with pytest.raises(UserError) as caught:
            services.library.open(path, pair=False)
        assert caught.value.params["reason"] == "unavailable"

    def test_a_move_copies_reads_back_opens_and_then_removes(
        self, yesterday, services_with, path, service
    ):
        yesterday.here = [WALLET, SECRETS]
        services = services_with(yesterday)
        services.library.known()
        (store,) = services.library.open(path, pair=False)
        yesterday.log.clear()
        kept = services.keys.move(store.id, SECRETS)
        assert (kept.place, kept.stays) == (SECRETS, None)
        assert mine(yesterday, service) == {(SECRETS, "a"): KEY}
        acts = [one[:2] for one in yesterday.log]
        assert acts == [
            ("look", SECRETS),
            ("store", SECRETS),
            ("look", SECRETS),
            ("look", WALLET),
            ("retire", WALLET),
        ]
        assert services.keys.look(path).recorded == SECRETS

    def test_what_does_not_open_the_store_removes_nothing(
        self, yesterday, services_with, path, service
    ):
        yesterday.here = [WALLET, SECRETS]
        services = services_with(yesterday)
        services.library.known()
        (store,) = services.library.open(path, pair=False)
        yesterday.forgets.add(SECRETS)
        with pytest.raises(IntegrityError):
            services.keys.move(store.id, SECRETS)
        assert mine(yesterday, service) == {(WALLET, "a"): KEY}

    def test_an_old_entry_that_cannot_be_removed_is_told(
        self, yesterday, services_with, path, service
    ):
        yesterday.here = [WALLET, SECRETS]
        services = services_with(yesterday)
        services.library.known()
        (store,) = services.library.open(path, pair=False)
        yesterday.stuck.add(WALLET)
        kept = services.keys.move(store.id, SECRETS)
        assert kept.stays is not None
        assert kept.stays.code == "vault.not_removed"
        assert set(mine(yesterday, service)) == {(WALLET, "a"), (SECRETS, "a")}

    def bring(self, services, path, **more):
        def opening(key):
            return services.library.open(path, key=key, place=KeyPlace.KEYCHAIN, pair=False)

        return services.keys.bring(path, WALLET, SECRETS, opening=opening, **more)

    def test_a_store_that_is_not_open_is_opened_by_a_move(
        self, yesterday, services_with, path, service
    ):
        """Copied, read back, the store opened with it, and only then removed."""
        yesterday.here = [SECRETS, WALLET]
        services = services_with(yesterday)
        steps = []

        def tick(step, *_):
            steps.append((step, frozenset(mine(yesterday, service))))

        brought = self.bring(services, path, tick=tick)
        (store,) = brought.stores
        assert (brought.place, brought.stays) == (SECRETS, None)
        assert store.key_place is KeyPlace.KEYCHAIN
        assert mine(yesterday, service) == {(SECRETS, "a"): KEY}
        old, new = (WALLET, "a"), (SECRETS, "a")
        assert [one for one in steps if one[0] != "remove"] == [
            ("look", {old}), ("copy", {old}), ("open", {old, new}),
        ]  # fmt: skip
        assert steps[-2:] == [("remove", {old, new}), ("remove", {new})]
        services.library.close_all()
        yesterday.here = [SECRETS]
        (again,) = services.library.open(path, pair=False)
        assert again.key_place is KeyPlace.KEYCHAIN

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            (None, "unavailable"),
            (Absent(WALLET), "absent"),
            (Locked(WALLET), "locked"),
            (Denied(WALLET), "denied"),
            ([Present(OTHER, "a", WALLET)], "mismatch"),
        ],
    )
    def test_what_had_it_and_does_not_give_it_is_told_and_nothing_changes(
        self, yesterday, services_with, path, service, answer, reason
    ):
        yesterday.here = [SECRETS] if answer is None else [SECRETS, WALLET]
        if answer is not None:
            yesterday.answers[WALLET] = answer
        services = services_with(yesterday)
        before = mine(yesterday, service)
        with pytest.raises(UserError) as caught:
            self.bring(services, path)
        assert (caught.value.code, caught.value.params["reason"]) == ("keys.not_moved", reason)
        assert mine(yesterday, service) == before
        assert services.library.stores() == ()

    def test_what_does_not_come_back_or_does_not_open_removes_nothing(
        self, yesterday, services_with, path, service
    ):
        yesterday.here = [SECRETS, WALLET]
        services = services_with(yesterday)
        yesterday.forgets.add(SECRETS)
        with pytest.raises(IntegrityError, match=r"keys\.does_not_open"):
            self.bring(services, path)
        yesterday.forgets.clear()

        def opening(_key):
            raise UserError("store.locked")

        with pytest.raises(UserError, match=r"store\.locked"):
            services.keys.bring(path, WALLET, SECRETS, opening=opening)
        assert (WALLET, "a") in mine(yesterday, service)

    @pytest.mark.parametrize(("step", "left"), [("look", {WALLET}), ("copy", {WALLET, SECRETS})])
    def test_stopped_the_key_is_where_it_was(
        self, yesterday, services_with, path, service, step, left
    ):
        yesterday.here = [SECRETS, WALLET]
        services = services_with(yesterday)
        token = CancelToken()
        with pytest.raises(Cancelled):
            self.bring(services, path, tick=lambda at, *_: at == step and token.cancel(),
                       cancel=token)  # fmt: skip
        assert {backend for backend, _slot in mine(yesterday, service)} == left
        self.bring(services, path)  # begun again, it goes on with what is there
        assert mine(yesterday, service) == {(SECRETS, "a"): KEY}

    def test_stopped_when_it_is_open_only_the_old_entry_stays(
        self, yesterday, services_with, path, service, monkeypatch
    ):
        yesterday.here = [SECRETS, WALLET]
        services = services_with(yesterday)

        def given_up(*_):
            raise Cancelled

        monkeypatch.setattr(yesterday, "retire_at", given_up)
        brought = self.bring(services, path)
        assert brought.stays.code == "keys.stopped_before"
        assert set(mine(yesterday, service)) == {(WALLET, "a"), (SECRETS, "a")}

    def test_a_typed_key_is_kept_in_what_is_there_today(
        self, yesterday, services_with, path, service
    ):
        yesterday.here = [SECRETS]
        services = services_with(yesterday)
        (store,) = services.library.open(path, key=KEY, pair=False)
        assert services.keys.keep(store.id).place == SECRETS
        assert set(mine(yesterday, service)) == {(WALLET, "a"), (SECRETS, "a")}
        assert services.keys.look(path).recorded == SECRETS

    def test_there_is_nothing_to_move_where_nothing_was(self, opened):
        services, store = opened(ManyKeychains(SECRETS, WALLET))
        with pytest.raises(UserError, match=r"keys\.nowhere"):
            services.keys.move(store, WALLET)


class TestForgetting:
    def test_a_key_that_would_be_lost_stays(self, opened, service):
        keychain = ManyKeychains(SECRETS)
        services, store = opened(keychain)
        services.keys.keep(store)
        with pytest.raises(UserError, match=r"keys\.would_be_lost"):
            services.keys.forget(store)
        with pytest.raises(UserError, match=r"keys\.would_be_lost"):
            services.keys.forget(store, given=OTHER)
        assert mine(keychain, service) == {(SECRETS, "a"): KEY}

    def test_it_goes_where_the_paper_was_confirmed_or_is_given(self, opened, service):
        keychain = ManyKeychains(SECRETS)
        services, store = opened(keychain)
        services.keys.keep(store)
        assert services.keys.forget(store, given=KEY) == ("a",)
        assert mine(keychain, service) == {}
        services.keys.keep(store)
        services.recovery.confirm(store, services.recovery.make(store).text)
        assert services.keys.forget(store) == ("a",)
        assert isinstance(
            services.keys.look(services.library.store(store).info.path).result, Absent
        )

    def test_the_key_of_earlier_copies_stays(self, opened, service):
        """After a change of key the other slot holds what opens the backups: it is the only one."""
        keychain = ManyKeychains(SECRETS)
        services, store = opened(keychain)
        keychain.store_in(service, "a", OTHER)
        services.keys.keep(store)
        assert services.keys.forget(store, given=KEY) == ("b",)
        assert mine(keychain, service) == {(SECRETS, "a"): OTHER}
        assert services.keys.left(store) == ("a",)

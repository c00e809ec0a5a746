# SPDX-License-Identifier: MIT
"""Pages that plug into the window, by name; ``registry.PAGES`` says which class plays which.

Names and what ``show_for`` (and ``Page.go``) carries with them:

=============  ==========================================================================
``memories``   None; the list and detail, which belong to the shell
``start``      None; the first page, which belongs to the shell
``review``     a Ref to begin with, or None
``activity``   the Ref of a record whose history is wanted, or None
``clash``      ClashRequest: records whose key another one has now
``erase``      tuple of Ref; or the Outcome of an erase that is to be shown
``key``        KeyProblem(path, error): why a store did not open
``locked``     tuple of names of the stores that were open
``settings``   None
``protect``    StoreId: what is known of one store, its health, encrypt and decrypt
``recovery``   StoreId: its recovery key, on one sheet with others if wanted
``export``     Query, or tuple of Ref: what to write
``pending``    None: erasures that were not finished
``cases``      None: who asked to be forgotten, and what is due
``case_new``   None (what was typed stays), the name of a person, or a Draft that a lock kept
``case``       the number of a case, the Case itself, or a Draft that a lock kept
=============  ==========================================================================

``go`` also takes acts of the shell: ``record`` with the Ref of a record to be shown, ``merge`` with
MergeRequest, ``history`` with the Ref of a record, ``open`` with OpenRequest,
``opened`` with the OpenedStores that a page opened itself, ``key_moved`` with the Moved of a key
that another keychain had, ``unlock`` with None,
``settings_changed``, ``choose_file`` and ``clear_search`` with None, ``erased`` with the Outcome
or error of an erase that ended while nobody saw it.
"""

"""Data: generate, choose or upload, and see what there is."""

from __future__ import annotations

import streamlit as st

from stiknn_ui import shell
from stiknn_ui.data import current, data_forms, drafted, noise_form, preview
from stiknn_ui.page import address, sample_offer, space
from stiknn_ui.words import messages

shell.begin("data")
waiting = drafted.waiting()
with st.container(horizontal=True, vertical_alignment="center", key="data-head"):
    data_forms.source_choice()
    drafted.explore_link(waiting)
    address.copy_link()
form, picture = st.columns([1, 2], gap="large")
dataset = None
if not waiting:
    with picture, messages.guarded():
        dataset = current.dataset()
with form, messages.guarded():
    data_forms.source_form()
    if not waiting:
        noise_form.noise_form(dataset)
with picture, messages.guarded():
    drafted.columns()
    if waiting:
        drafted.show()
    elif dataset is not None:
        messages.show_notices(dataset.notices)
        sample_offer.size_note(dataset)
        space.offer(dataset)
        preview.show(dataset, current.contents(dataset))
shell.keep_link("data")

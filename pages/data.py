"""Data: generate, choose or upload, and see what there is."""

from __future__ import annotations

import streamlit as st

from stiknn_ui import data_forms, messages, preview, runner, shell

shell.begin("data")
form, picture = st.columns([1, 2], gap="large")
with form, messages.guarded():
    data_forms.source_form()
    data_forms.noise_form()
    st.page_link("pages/explore.py", label="Explore these data", icon=":material/arrow_forward:")
    shell.copy_link()
with picture, messages.guarded():
    dataset = runner.current_dataset()
    if dataset is not None:
        messages.show_notices(dataset.notices)
        preview.show(dataset)
shell.keep_link("data")

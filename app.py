"""Home, and the server: `streamlit run` imports this file once, and runs it for each visit."""

from __future__ import annotations

if __name__ != "__main__":
    from streamlit.starlette import App

    from stiknn_ui import server

    app = App(__file__, lifespan=server.lifespan, middleware=server.middleware())
else:
    from stiknn_ui import shell
    from stiknn_ui.asked.spec import HOME_VIEW
    from stiknn_ui.home import gallery, home
    from stiknn_ui.page import panels, runner
    from stiknn_ui.words import messages

    shell.begin("home")
    home.introduction()
    with messages.guarded():
        if (example := runner.example()) is not None:
            panels.picture(example, HOME_VIEW, name="home-view", height=460)
    home.explanation()
    places = gallery.cards()
    home.samples()
    home.next_steps()
    with messages.guarded():
        gallery.fill(places)

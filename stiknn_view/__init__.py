"""The linked view for any home: its browser code, and what is packed for it. No Streamlit."""

"""The card provider, after Stripe's API. `routes.py` lists the calls, `known.py` the test cards, `paying.py` the faults."""

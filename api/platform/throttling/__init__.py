"""The limits on tries, per account, per address and in all (promise 27), by what is tried."""

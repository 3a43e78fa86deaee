"""The words of mails and text messages, in the languages of their readers (decision 101)."""

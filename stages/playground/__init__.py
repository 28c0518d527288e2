"""The playground: one page on which a person draws a digit, follows it through depth, adds noise and attacks it.

Reads train stores and the digits, writes playground.html. All computation is in js/, plain modules that Node runs as
they are; `bundle.py` joins them into the page.
"""

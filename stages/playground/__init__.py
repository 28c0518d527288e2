"""The playground: one page to draw a digit, follow it through depth, add noise and attack it.

Reads train stores and the digits, writes playground.html. All computation is in js/, plain modules that Node can run
unchanged; `bundle.py` joins them into the page.
"""

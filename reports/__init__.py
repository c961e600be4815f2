"""What people look at: figures, tables, the typeset report and what lies beside it.

document.py   a report as plain data, independent of any game
format.py     numbers and intervals as words, digits taken from the interval's width
style.py      how figures look: colours, fonts, sizes
figures.py    one function per figure: a tidy frame and an Axes in, the Axes out
typeset.py    document -> typst -> tagged PDF
build.py      the only place that saves: the folder of a report, all or nothing
"""

"""Reads an SVG picture of a grid with an XML parser and prints its words.

usage: svg_words.py FILE
Prints the title, how many columns, rows and cells there are, and what the cells
say, row after row. Fails when the file is no XML or a text is outside.
"""

import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"


def number(element, name):
    return int(element.get(name))


def main(path):
    root = tree.parse(path).getroot()
    assert root.tag == SVG + "svg", root.tag
    width, height = number(root, "width"), number(root, "height")
    ground, *cells = root.iter(SVG + "rect")
    assert (number(ground, "width"), number(ground, "height")) == (width, height)
    left = sorted({number(c, "x") for c in cells})
    top = sorted({number(c, "y") for c in cells})
    print(root.find(SVG + "title").text)
    print(f"{len(left)} across, {len(top)} down, {len(cells)} cells")
    words = []
    for text in root.iter(SVG + "text"):
        x, y = number(text, "x"), number(text, "y")
        assert 0 <= x <= width and 0 <= y <= height, text.text
        inside = [
            c
            for c in cells
            if 0 <= x - number(c, "x") < number(c, "width")
            and 0 <= y - number(c, "y") < number(c, "height")
        ]
        if inside:
            words.append(text.text)
    print(" ".join(words))


if __name__ == "__main__":
    main(sys.argv[1])

# SPDX-License-Identifier: Apache-2.0
"""An HTML page as a test sees it: elements that were opened and closed, ids, what refers to what."""

import html.parser
import json
import re

VOID = {'meta', 'br', 'input', 'link', 'img', 'hr', 'base', 'source'}
# Attributes that make a browser fetch or run something
FETCHING = {'src', 'href', 'srcset', 'action', 'formaction', 'data', 'poster', 'xlink:href', 'ping',
            'background', 'cite', 'manifest'}


class Page(html.parser.HTMLParser):
    """problems: what is not well-formed. elements: (tag, attributes). scripts: (attributes, text)."""

    def __init__(self, text):
        super().__init__()
        self.text = text
        self.stack = []
        self.problems = []
        self.elements = []
        self.scripts = []
        self.styles = []
        self.words = []
        self.feed(text)
        self.close()
        if self.stack:
            self.problems.append('open at the end: %s' % self.stack)

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(set(names)) != len(names):
            self.problems.append('<%s> has an attribute twice at %s' % (tag, self.getpos()))
        self.elements.append((tag, dict(attributes)))
        if tag == 'script':
            self.scripts.append((dict(attributes), ''))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.stack or self.stack[-1] != tag:
            self.problems.append('</%s> closes %s at %s' % (tag, self.stack[-1:], self.getpos()))
        else:
            self.stack.pop()

    def handle_data(self, data):
        if self.stack[-1:] == ['script']:
            attributes, text = self.scripts.pop()
            self.scripts.append((attributes, text + data))
        elif self.stack[-1:] == ['style']:
            self.styles.append(data)
        else:
            self.words.append(data)

    def handle_comment(self, data):
        self.problems.append('a comment at %s' % (self.getpos(),))

    def ids(self):
        return [attributes['id'] for _, attributes in self.elements if 'id' in attributes]

    def references(self):
        """Ids that attributes and styles name."""
        found = []
        for _, attributes in self.elements:
            for name in ('aria-controls', 'aria-labelledby', 'for', 'aria-describedby'):
                found += (attributes.get(name) or '').split()
            for value in attributes.values():
                found += re.findall(r'url\(#([^)]*)\)', value or '')
        for style in self.styles:
            found += re.findall(r'url\(#([^)]*)\)', style)
        return found

    def fetches(self):
        """What the page would ask somebody else for, or run without being its script."""
        found = []
        for tag, attributes in self.elements:
            for name, value in attributes.items():
                if name in FETCHING or name.startswith('on'):
                    found.append('<%s %s=%r>' % (tag, name, value))
            if tag in ('iframe', 'object', 'embed', 'link', 'img', 'base', 'form', 'foreignobject'):
                found.append('<%s>' % tag)
        for style in self.styles:
            found += re.findall(r'@import[^;]*|url\([^#)][^)]*\)', style)
        return found

    def data(self, name):
        """The JSON of the script element of that id."""
        text, = [text for attributes, text in self.scripts if attributes.get('id') == name]
        return json.loads(text)

    def with_class(self, name):
        return [(tag, attributes) for tag, attributes in self.elements
                if name in (attributes.get('class') or '').split()]

    def visible(self):
        return ' '.join(' '.join(self.words).split())

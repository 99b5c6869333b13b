# SPDX-License-Identifier: Apache-2.0
"""TAP on standard output, for test programs that are Python scripts."""

import sys


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, good, title, *details):
        """One test point. @details are printed below it when it is not good."""
        self.count += 1
        self.failed += not good
        title = ' · '.join(title.replace('#', '＃').splitlines())
        print('%s %d - %s' % ('ok' if good else 'not ok', self.count, title))
        if not good:
            for detail in details:
                self.say(detail)
        sys.stdout.flush()
        return good

    def equal(self, found, expected, title):
        return self.ok(found == expected, title, 'expected %.2000r' % (expected,),
                       'found    %.2000r' % (found,))

    def say(self, text):
        for line in str(text).splitlines():
            print('# ' + line)

    def skip(self, title, why):
        self.count += 1
        print('ok %d - %s # SKIP %s' % (self.count, title, why))

    def done(self):
        print('1..%d' % self.count)
        return 1 if self.failed else 0


def skip_all(why):
    """Ends a program that cannot be run here."""
    print('1..0 # SKIP %s' % why)
    sys.exit(77)

# SPDX-License-Identifier: Apache-2.0
"""stria-cli as a test sees it: a program that is given arguments and prints JSON."""

import json
import os
import subprocess


class Cli:
    def __init__(self, program, cache):
        self.program = program
        self.environment = dict(os.environ, STRIA_CACHE_DIR=cache, LC_ALL='C.UTF-8')

    def run(self, *arguments, check=None):
        """Returns the finished process. @check: exit codes that are right, or None for any that is
        not a crash."""
        done = subprocess.run([self.program, *arguments], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode < 0 or b'Sanitizer' in done.stderr or b'runtime error' in done.stderr:
            raise AssertionError('%s: crashed with %d: %s' % (
                ' '.join(arguments), done.returncode, done.stderr.decode(errors='replace')[-3000:]))
        if b'CRITICAL' in done.stderr or b'WARNING **' in done.stderr:
            raise AssertionError('%s: %s' % (' '.join(arguments),
                                             done.stderr.decode(errors='replace')[-3000:]))
        if check is not None and done.returncode not in check:
            raise AssertionError('%s: exit code %d: %s' % (
                ' '.join(arguments), done.returncode, done.stderr.decode(errors='replace')[-3000:]))
        return done

    def json(self, *arguments, check=(0, 1)):
        return json.loads(self.run(arguments[0], '--json', *arguments[1:], check=check).stdout)

    def query(self, capture, sql):
        """Rows as tuples, in the order of the columns."""
        return [tuple(row.values()) for row in self.json('query', capture, sql)]

# SPDX-License-Identifier: Apache-2.0
"""Locales that a machine need not have, made of Debian's sources of them (package locales)."""

import os
import shutil
import subprocess


def make_locale(name, folder):
    """Returns: what it takes in the environment to run a program in it, or None if it cannot be made."""
    full = name + '.UTF-8'
    path = os.path.join(folder, full)
    if not os.path.isdir(path):
        localedef = shutil.which('localedef')
        if localedef is None or not os.path.exists('/usr/share/i18n/locales/' + name):
            return None
        os.makedirs(folder, exist_ok=True)
        subprocess.run([localedef, '--no-archive', '-i', name, '-f', 'UTF-8', path],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not os.path.exists(os.path.join(path, 'LC_NUMERIC')):
            return None
    return {'LOCPATH': folder, 'LC_ALL': full, 'LANGUAGE': ''}

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The program as the desktop starts it: `gio open` of a folder and of a file, its bus name, a second
start, the actions of its menu, and searches. Prints TAP.

usage: desktop.py STRIA OUT_DIR SOURCE_ROOT DESKTOP_FILE MIME_FILE
"""

import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))

from tap import Tap  # noqa: E402
from window import Window  # noqa: E402

APP_ID = 'io.github.stria.Stria'
PROVIDER = '/io/github/stria/Stria/SearchProvider'
FILES = '''[Desktop Entry]
Type=Application
Name=Files
Exec=/bin/true %U
MimeType=inode/directory;
'''


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          encoding='utf-8').stdout


def ask(path, method, *arguments, name=APP_ID):
    return run('gdbus', 'call', '--session', '--dest', name, '--object-path', path, '--method',
               method, *arguments)


def search(method, *arguments):
    return ask(PROVIDER, 'org.gnome.Shell.SearchProvider2.' + method, *arguments)


def owner():
    """Process of the one that has the program's bus name; 0: nobody"""
    answer = ask('/org/freedesktop/DBus', 'org.freedesktop.DBus.GetConnectionUnixProcessID', APP_ID,
                 name='org.freedesktop.DBus')
    found = re.match(r'\(uint32 (\d+),\)', answer)
    return int(found[1]) if found else 0


class Process:
    """One that was started by the bus"""

    def __init__(self, pid):
        self.pid = pid
        self.returncode = -1

    def poll(self):
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return self.returncode
        return None


class Desktop(Window):
    def __init__(self, out):  # pylint: disable=super-init-not-called
        self.out = out
        self.process = Process(os.getpid())
        self.process = Process(self.wait(owner, 'the name on the bus'))
        self.root = self.wait(self.find_application, 'the program on the accessibility bus')
        self.id = self.wait(self.find_window, 'the window')

    def frames(self):
        return [n for n in self.root if n is not None and n.getRoleName() == 'frame']


def install(program, desktop_file, mime_file):
    """Registers the program for this walk's home only, as `meson install` does it for a prefix."""
    data = os.environ['XDG_DATA_HOME']
    applications, services = os.path.join(data, 'applications'), os.path.join(data, 'dbus-1/services')
    packages = os.path.join(data, 'mime', 'packages')
    for folder in (applications, services, packages, os.environ['XDG_CONFIG_HOME']):
        os.makedirs(folder, exist_ok=True)
    with open(desktop_file, encoding='utf-8') as file:
        entry = file.read()
    entry = re.sub(r'^(Exec|TryExec)=stria\b', r'\1=' + program, entry, flags=re.M)
    for name, text in (
            (os.path.join(applications, APP_ID + '.desktop'), entry),
            (os.path.join(applications, 'files.desktop'), FILES),
            (os.path.join(services, APP_ID + '.service'),
             '[D-BUS Service]\nName=%s\nExec=%s --gapplication-service\n' % (APP_ID, program))):
        with open(name, 'w', encoding='utf-8') as file:
            file.write(text)
    shutil.copy(mime_file, os.path.join(packages, APP_ID + '.xml'))
    run('update-mime-database', os.path.join(data, 'mime'))
    run('update-desktop-database', applications)
    ask('/org/freedesktop/DBus', 'org.freedesktop.DBus.ReloadConfig', name='org.freedesktop.DBus')


def set_folders(program):
    with open(os.path.join(os.environ['XDG_CONFIG_HOME'], 'mimeapps.list'), 'w',
              encoding='utf-8') as file:
        file.write('[Default Applications]\ninode/directory=%s.desktop\n' % program)


def check_types(tap, desktop_file):
    with open(desktop_file, encoding='utf-8') as file:
        types = re.search(r'^MimeType=(.*);$', file.read(), re.M)[1].split(';')
    set_folders('files')
    folders = run('gio', 'mime', 'inode/directory')
    tap.ok('files.desktop' in folders.split('\n')[0] and folders.count(APP_ID) >= 1,
           'folders offer the program, and stay with the file manager', folders)
    for name in types:
        if name != 'inode/directory':
            tap.ok(APP_ID in run('gio', 'mime', name).split('\n')[0], name + ' opens here',
                   run('gio', 'mime', name))


def check_open(tap, out, sample):
    folder = os.path.join(out, 'home', 'a capture')
    os.mkdir(folder)
    shutil.copy(sample, os.path.join(folder, 'rank0.pt.trace.json.gz'))
    set_folders(APP_ID)
    tap.equal(owner(), 0, 'it does not run yet')
    tap.equal(run('gio', 'open', folder), '', 'gio open of a folder')
    window = Desktop(out)
    tap.ok(window.wait_text(r'events · 10\d\.\d+ ms'), 'its window has the capture')
    tap.ok(window.wait_text('^a capture$'), 'under the name of the folder')
    window.shot('gio-open')
    return window


def opens_window(tap, window, title, text, *command):
    """It ends, and the process that runs has one window more."""
    pid, n = owner(), len(window.frames())
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    tap.ok(done.returncode == 0, title + ' ends at once', done.stderr)
    tap.ok(window.wait(lambda: len(window.frames()) == n + 1, 'one window more'),
           title + ' opens a window')
    tap.equal(owner(), pid, title + ' joins the one that runs')
    tap.ok(window.wait_text(text), title + ' shows the file')


def check_joins(tap, window, program, out, sample):
    names = {}
    for name in ('second', 'third', 'fourth'):
        names[name] = os.path.join(out, 'home', name + '.pt.trace.json.gz')
        shutil.copy(sample, names[name])
    opens_window(tap, window, 'a second start', r'^second\.pt', program, names['second'])
    opens_window(tap, window, 'gapplication launch', r'^third\.pt', 'gapplication', 'launch', APP_ID,
                 names['third'])
    opens_window(tap, window, 'gio open of a file', r'^fourth\.pt', 'gio', 'open', names['fourth'])


def check_search(tap, window):
    tap.equal(search('GetInitialResultSet', "['nowhere']"), "(@as [],)\n", 'nothing is found')
    found = re.findall(r'[0-9a-f]{64}', search('GetInitialResultSet', "['pt', 'trace']"))
    tap.equal(len(found), 3, 'three captures are found by two words')
    tap.equal(re.findall(r'[0-9a-f]{64}', search('GetSubsearchResultSet', str(found[:2]),
                                                 "['pt', 'fourth']")), found[:1],
              'one of those by a third')
    metas = search('GetResultMetas', str(found[:1] + ['no such']))
    for part in ("'id': <'%s'>" % found[0], "'name': <'fourth.pt.trace.json.gz'>", 'events · ',
                 "'gicon': <'%s'>" % APP_ID, "'clipboardText': <'/"):
        tap.ok(part in metas, 'its description has ' + part.replace(found[0], '…'), metas)
    n = len(window.frames())
    tap.equal(search('ActivateResult', found[2], "['pt']", '0'), '()\n', 'a result is chosen')
    tap.ok(window.wait_text(r'^second\.pt') and len(window.frames()) == n, 'its window comes up')
    tap.equal(search('LaunchSearch', "['pt', 'third']", '0'), '()\n', 'all results are asked for')
    start = window.wait(lambda: [f for f in window.frames() if f.name == 'Stria'], 'a start page')[0]
    # What is left moves up to where the first one was.
    card = window.find('label', r'^third\.pt', start)
    tap.ok(window.wait(lambda: window.box(card)[0] < 200, 'one capture'),
           'the start page shows what has these words')


def check_actions(tap, window):
    actions = run('gapplication', 'list-actions', APP_ID).split()
    for name in ('new-window', 'open-folder', 'compare'):
        tap.ok(name in actions, 'the action ' + name, actions)
    run('gapplication', 'action', APP_ID, 'compare')
    tap.ok(window.find('label', '^Choose the first capture'), 'two captures are asked for')
    window.shot('compare')


def main():
    program, out, root, desktop_file, mime_file = sys.argv[1:6]
    sample = os.path.join(root, 'data', 'sample', 'training-step.json.gz')
    tap = Tap()
    window = None
    install(program, desktop_file, mime_file)
    try:
        check_types(tap, desktop_file)
        window = check_open(tap, out, sample)
        check_joins(tap, window, program, out, sample)
        check_search(tap, window)
        check_actions(tap, window)
    except AssertionError as error:
        tap.ok(False, 'the walk goes on', error)
    finally:
        pid = owner()
        if pid:
            os.kill(pid, signal.SIGTERM)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())

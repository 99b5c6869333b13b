/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-keys.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SECTION(name, title)         { STRIA_KEY_SECTION, title, name, NULL, NULL }
#define GROUP(scope, title)          { STRIA_KEY_GROUP, title, scope, NULL, NULL }
#define ACTION(name, keys, title)    { STRIA_KEY_ACTION, title, name, keys, NULL }
#define MORE(name, keys, more, title) { STRIA_KEY_ACTION, title, name, keys, more }
#define ALSO(name, title)            { STRIA_KEY_ALSO, title, name, NULL, NULL }
#define FIXED(keys, title)           { STRIA_KEY_FIXED, title, NULL, keys, NULL }
#define POINTER(kind, title, text)   { STRIA_KEY_POINTER, title, kind, text, NULL }

static const StriaKeyRow rows[] = {
  SECTION ("timeline", N_ ("Timeline")),
  GROUP ("timeline", N_ ("Moving")),
  ACTION ("timeline.zoom-in", "w plus", N_ ("Zoom in")),
  ACTION ("timeline.zoom-out", "s minus", N_ ("Zoom out")),
  ACTION ("timeline.pan-left", "a Left", N_ ("Earlier")),
  ACTION ("timeline.pan-right", "d Right", N_ ("Later")),
  FIXED ("Page_Up Page_Down", N_ ("Scroll the lanes")),
  ACTION ("timeline.fit-selection", "f", N_ ("Zoom to the selection")),
  ACTION ("timeline.fit-all", "0 Home", N_ ("Show all")),
  ACTION ("timeline.back", "BackSpace", N_ ("Back to the view before")),
  ACTION ("timeline.forward", "<Shift>BackSpace", N_ ("Forward again")),
  GROUP ("timeline", N_ ("With the Pointer")),
  POINTER ("gesture", N_ ("Zoom at the pointer"), N_ ("Ctrl and wheel")),
  POINTER ("gesture", N_ ("Move in time"), N_ ("Shift and wheel, or drag on the ruler")),
  POINTER ("gesture", N_ ("Select a range, see its statistics"), N_ ("Drag over the lanes")),
  POINTER ("gesture", N_ ("Zoom to an event"), N_ ("Double click")),
  POINTER ("gesture-pinch", N_ ("Zoom"), ""),
  POINTER ("gesture-two-finger-swipe-left", N_ ("Move in time"), ""),
  GROUP ("timeline", N_ ("Annotations and Warnings")),
  ACTION ("timeline.add-marker", "b", N_ ("Mark the moment under the pointer")),
  ACTION ("timeline.add-range", "<Shift>b", N_ ("Mark the selected range")),
  ACTION ("timeline.next-mark", "k", N_ ("Next annotation")),
  ACTION ("timeline.previous-mark", "<Shift>k", N_ ("Previous annotation")),
  ACTION ("timeline.next-warning", "u", N_ ("Next warning")),
  ACTION ("timeline.previous-warning", "<Shift>u", N_ ("Previous warning")),
  ACTION ("timeline.rename-mark", "F2", N_ ("Name the selected annotation")),
  ACTION ("timeline.delete-mark", "Delete", N_ ("Delete the selected annotation")),
  ACTION ("timeline.undo-mark", "<Control>z",
          N_ ("Undo the last change (Ctrl+Z over the timeline)")),
  ACTION ("timeline.redo-mark", "<Control><Shift>z",
          N_ ("Redo what was undone (Ctrl+Shift+Z over the timeline)")),
  ACTION ("page.bottom", "F7", N_ ("Annotations, regions and warnings below the timeline")),
  GROUP ("timeline", N_ ("Events")),
  ACTION ("timeline.next-slice", "period", N_ ("Next slice of the lane")),
  ACTION ("timeline.previous-slice", "comma", N_ ("Previous slice of the lane")),
  ACTION ("timeline.parent", "Up", N_ ("Enclosing slice")),
  ACTION ("timeline.child", "Down", N_ ("First slice inside")),
  ACTION ("timeline.follow-flow", "bracketright", N_ ("Follow the flow")),
  ACTION ("timeline.follow-flow-back", "bracketleft", N_ ("Follow the flow back")),
  ACTION ("system.flows", "x", N_ ("Show all arrows")),
  ACTION ("system.next-grouping(true)", "g", N_ ("Group the lanes in the next way")),
  ACTION ("system.next-grouping(false)", "<Shift>g", N_ ("Group the lanes in the previous way")),
  ACTION ("system.jump", "j",
          N_ ("From the system profile to the device at that time, and back")),
  ACTION ("timeline.keep-range", "m", N_ ("Make the event the selected range")),
  FIXED ("Escape", N_ ("Clear the selection")),
  GROUP ("timeline", N_ ("Lanes")),
  ACTION ("timeline.toggle-pin", "p", N_ ("Pin or unpin")),
  ACTION ("timeline.hide", "h", N_ ("Hide")),
  ACTION ("timeline.show-all", "<Shift>h", N_ ("Show hidden lanes")),
  ACTION ("timeline.collapse-all", "<Shift>c", N_ ("Collapse all")),
  ACTION ("timeline.expand-all", "<Shift>e", N_ ("Expand all")),
  ACTION ("timeline.fold-lane", "e", N_ ("Fold or unfold the lane")),
  ACTION ("timeline.fold-class", "<Control>e", N_ ("Fold or unfold lanes of its kind")),
  FIXED ("<Alt>Up <Alt>Down", N_ ("Move the lane up or down")),
  FIXED ("<Control>Down <Control>Up", N_ ("Make a counter higher or lower")),
  ACTION ("page.filter", "slash", N_ ("Filter lanes by name")),
  ACTION ("timeline.next-dma", "q", N_ ("DMA by queue, by engine, or both")),
  ACTION ("timeline.next-color", "c",
          N_ ("Colour by the next: operator, layer, opcode, engine, category, stall")),
  ACTION ("timeline.toggle-legend", "l", N_ ("Legend of the colours")),
  ACTION ("timeline.toggle-box", "v", N_ ("A drag selects a box, or moves the lanes")),
  FIXED ("<Shift>Left <Shift>Right", N_ ("Change the selected box")),
  FIXED ("<Shift>Up <Shift>Down", N_ ("Change the selected box")),
  ACTION ("timeline.next-match", "Return n", N_ ("Next match")),
  ACTION ("timeline.previous-match", "<Shift>Return <Shift>n", N_ ("Previous match")),
  ACTION ("timeline.toggle-wall-time", "t", N_ ("Time of day on the ruler")),
  FIXED ("Menu <Shift>F10", N_ ("Menu of the lane")),

  SECTION ("memory", N_ ("Memory")),
  GROUP ("memory", N_ ("The Moment")),
  FIXED ("Left", N_ ("Event before")),
  FIXED ("Right", N_ ("Event after")),
  FIXED ("p", N_ ("Moment with most bytes")),
  FIXED ("b", N_ ("Compare with this moment")),
  FIXED ("Home", N_ ("Start of the recording")),
  FIXED ("End", N_ ("End of the recording")),
  FIXED ("Escape", N_ ("Clear the selection")),
  GROUP ("memory", N_ ("Moving")),
  FIXED ("w", N_ ("Zoom in")),
  FIXED ("s", N_ ("Zoom out")),
  FIXED ("a", N_ ("Earlier")),
  FIXED ("d", N_ ("Later")),
  FIXED ("f", N_ ("Show all")),
  FIXED ("BackSpace", N_ ("Back to the view before")),
  GROUP ("memory", N_ ("With the Pointer")),
  POINTER ("gesture", N_ ("Zoom to a range"), N_ ("Drag over the plot; Escape cancels")),
  POINTER ("gesture", N_ ("Drag through time"),
           N_ ("Drag along the axis, or the line of the moment")),
  POINTER ("gesture", N_ ("Move in time"), N_ ("Shift and drag, or Shift and wheel")),
  POINTER ("gesture", N_ ("Compare two moments"), N_ ("Ctrl and drag")),
  POINTER ("gesture", N_ ("Zoom at the pointer"), N_ ("Ctrl and wheel")),
  GROUP ("source", N_ ("Source Code")),
  FIXED ("Return", N_ ("Show the line of a frame")),
  FIXED ("<Control>c", N_ ("Copy path and line of a frame")),
  FIXED ("Menu <Shift>F10", N_ ("Menu of the frame")),
  FIXED ("<Alt>Down <Alt>Up", N_ ("To the caller, and back")),
  ALSO ("win.search", N_ ("Find in this file")),
  ACTION ("source.go-to-line", "<Control>i", N_ ("Go to line")),
  ACTION ("source.zoom", "<Control><Shift>z", N_ ("Zoom to the events of the lines")),
  FIXED ("Escape", N_ ("No longer highlight these lines")),

  SECTION ("model", N_ ("Model")),
  GROUP ("model", N_ ("Selection and Panes")),
  FIXED ("Left Right Up Down", N_ ("To the neighbours in the graph")),
  FIXED ("Return", N_ ("Open a group, a call or a line of source")),
  ACTION ("model.previous-selection", "<Alt>Left", N_ ("Previous selection")),
  ACTION ("model.next-selection", "<Alt>Right", N_ ("Next selection")),
  ACTION ("model.split-beside", "F7", N_ ("Another pane beside this one")),
  ACTION ("model.split-below", "<Shift>F7", N_ ("Another pane below this one")),
  ACTION ("model.close-pane", "<Control>F7", N_ ("Close the pane")),
  FIXED ("<Alt><Shift>Left <Alt><Shift>Right", N_ ("Change places with the pane beside")),
  FIXED ("<Alt><Shift>Up <Alt><Shift>Down", N_ ("Change places with the pane above or below")),
  FIXED ("F6 <Shift>F6", N_ ("Next pane, details")),
  ALSO ("win.search", N_ ("Search the graph")),
  ALSO ("win.compare", N_ ("Compare with another capture")),
  ACTION ("compare.together", "<Control>l", N_ ("Compared graphs move together, or alone")),
  ACTION ("model.end-compare", "<Control><Shift>d", N_ ("End the comparison")),
  ACTION ("model.export", "<Control>e", N_ ("Export pictures, a page or figures")),
  GROUP ("model", N_ ("Graph")),
  ACTION ("graph.fit", "space f", N_ ("Fit the whole graph")),
  ACTION ("graph.zoom-in", "plus equal w", N_ ("Zoom in")),
  ACTION ("graph.zoom-out", "minus s", N_ ("Zoom out")),
  ACTION ("graph.zoom-100", "0", N_ ("Full size")),
  ACTION ("graph.unfold-all", "<Shift>e", N_ ("Expand all")),
  ACTION ("graph.fold-all", "<Shift>c", N_ ("Collapse all")),
  ACTION ("graph.direction", "t", N_ ("Left to right, or top to bottom")),
  ACTION ("graph.isolate", "i", N_ ("Isolate")),
  ACTION ("graph.show-all", "<Shift>h", N_ ("Show All Again")),
  ACTION ("graph.inputs", "bracketleft", N_ ("Make all that the selection needs stand out")),
  ACTION ("graph.outputs", "bracketright", N_ ("Make all that needs the selection stand out")),
  ACTION ("graph.minimap", "m", N_ ("Show or hide the overview")),

  SECTION ("general", N_ ("General")),
  GROUP ("", N_ ("Layout")),
  ACTION ("dock.shift::right", "F8 <Control><Alt>Right",
          N_ ("The view to the right: out of the tabs, or to another place")),
  ACTION ("dock.shift::below", "<Shift>F8 <Control><Alt>Down", N_ ("The view below the others")),
  FIXED ("<Control><Alt>Left <Control><Alt>Up", N_ ("The view to the left, or above")),
  ACTION ("dock.back", "<Control>F8", N_ ("Back into the tabs")),
  ACTION ("dock.reset", "<Control><Shift>F8 <Control><Alt>0",
          N_ ("Everything back into the tabs")),
  ACTION ("dock.next", "<Control>F6", N_ ("Next pane")),
  ACTION ("dock.second", "<Control><Shift>t", N_ ("A second timeline")),
  ACTION ("dock.menu", "<Control><Shift>l", N_ ("Menu of layouts")),
  GROUP ("", N_ ("Windows and Captures")),
  ACTION ("win.open-files", "<Control>o", N_ ("Open files")),
  ACTION ("win.open-folder", "<Control><Shift>o", N_ ("Open a folder")),
  ACTION ("win.paste", "<Control>v", N_ ("Open, add or compare what was copied")),
  ACTION ("win.add-files", "<Control><Alt>o", N_ ("Add files to the capture")),
  ACTION ("app.new-window", "<Control>n", N_ ("New window")),
  ACTION ("win.reimport", "<Control><Shift>r", N_ ("Import again")),
  ACTION ("win.compare", "<Control>d", N_ ("Compare with another capture")),
  ACTION ("win.export", "<Control><Shift>e", N_ ("Export tables, a trace or a picture")),
  ACTION ("win.show-view::timeline", "<Alt>1", N_ ("Timeline")),
  ACTION ("win.show-view::summary", "<Alt>2", N_ ("Summary")),
  ACTION ("win.show-view::memory", "<Alt>3", N_ ("Memory")),
  ACTION ("win.show-view::source", "<Alt>4", N_ ("Source")),
  ACTION ("win.show-view::model", "<Alt>5", N_ ("Model")),
  ACTION ("win.show-view::profiles", "<Alt>6", N_ ("Profiles")),
  ACTION ("win.show-view::operators", "<Alt>7", N_ ("Operators")),
  ACTION ("win.show-view::tables", "<Alt>8", N_ ("Tables")),
  ACTION ("win.show-view::compare", "<Alt>9", N_ ("Compare")),
  ACTION ("win.toggle-sidebar", "F9", N_ ("Show or hide the artifacts")),
  ACTION ("win.toggle-details", "<Shift>F9", N_ ("Show or hide the details")),
  ACTION ("window.close", "<Control>w", N_ ("Close the window")),
  ACTION ("app.quit", "<Control>q", N_ ("Quit")),
  GROUP ("search", N_ ("Search")),
  ACTION ("win.search", "<Control>f", N_ ("Search names and arguments")),
  MORE ("win.search-next", "<Control>g F3", "Return", N_ ("Next match")),
  MORE ("win.search-previous", "<Control><Shift>g <Shift>F3", "<Shift>Return",
        N_ ("Previous match")),
  FIXED ("Escape", N_ ("End the search")),
  GROUP ("operators", N_ ("Operators and tables")),
  FIXED ("Up Down Left Right", N_ ("Walk through the hierarchy of operators")),
  FIXED ("Return", N_ ("Zoom into an operator of the hierarchy")),
  FIXED ("BackSpace", N_ ("Zoom out of the operator")),
  FIXED ("<Control>Return", N_ ("Show the operator on the timeline; run the SQL query")),
  FIXED ("<Control><Shift>s", N_ ("Sort by")),
  FIXED ("Escape", N_ ("Stop the SQL query")),
  GROUP ("", N_ ("Program")),
  ACTION ("app.preferences", "<Control>comma", N_ ("Preferences")),
  ACTION ("win.show-help-overlay", "<Control>question F1", N_ ("Keyboard shortcuts")),
  ACTION ("win.help", "<Shift>F1", N_ ("Help on this view")),
  FIXED ("F10", N_ ("Main menu")),
};

const StriaKeyRow *
stria_key_rows (guint *n)
{
  *n = G_N_ELEMENTS (rows);
  return rows;
}

const StriaKeyRow *
stria_key_row (const char *action)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].kind == STRIA_KEY_ACTION && g_str_equal (rows[i].name, action))
      return &rows[i];
  return NULL;
}

/* Actions of windows are anywhere in them; others where their group is. */
const char *
stria_key_scope (const StriaKeyRow *row)
{
  static const char *const everywhere[] = { "app.", "win.", "window.", "dock." };
  const char *scope = "";

  for (guint i = 0; row->kind == STRIA_KEY_ACTION && i < G_N_ELEMENTS (everywhere); i++)
    if (g_str_has_prefix (row->name, everywhere[i]))
      return "";
  for (const StriaKeyRow *group = row; group >= rows; group--)
    if (group->kind == STRIA_KEY_GROUP)
      {
        scope = group->name;
        break;
      }
  return scope;
}

gboolean
stria_key_is_accel (const StriaKeyRow *row)
{
  return g_str_has_prefix (row->name, "app.") || g_str_has_prefix (row->name, "window.")
         || (g_str_has_prefix (row->name, "win.") && !g_str_equal (row->name, "win.paste"));
}

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"
#include "stria-identity.h"

G_BEGIN_DECLS

/**
 * stria_pair:
 * @capture: a capture whose artifacts have their kinds
 * @identities: (element-type StriaIdentity): by artifact; entries may be NULL
 * @choices: (nullable) (element-type utf8 utf8): names of .ntff artifacts -> names of the .neff
 *   artifacts that a person chose for them
 *
 * Puts the files of a Neuron capture into a tree (nodes, processes, sessions, profiles) and finds the
 * programs of each device profile: by the UUIDs inside the files first, by names second. Device profiles
 * without their program, or with one of another compilation, become %STRIA_ARTIFACT_REFUSED;
 * programs that are the same bytes as another %STRIA_ARTIFACT_ALIKE.
 *
 * Returns: (transfer full) (nullable): NULL if the capture has no Neuron files
 */
StriaCaptureTree *stria_pair (StriaCapture *capture, GPtrArray *identities, GHashTable *choices);

G_END_DECLS

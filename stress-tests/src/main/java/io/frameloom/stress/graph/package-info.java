/** Properties of the whole task graph through its public API. */
@NullMarked
package io.frameloom.stress.graph;

import org.jspecify.annotations.NullMarked;

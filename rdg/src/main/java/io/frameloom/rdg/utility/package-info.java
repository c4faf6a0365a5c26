/**
 * Passes that many features need: clears, copies, uploads, readbacks, dispatches, mips, GPU primitives. Called by the thread
 * that declares the graph.
 */
@NullMarked
package io.frameloom.rdg.utility;

import org.jspecify.annotations.NullMarked;

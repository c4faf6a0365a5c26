/**
 * Passes that many features need: clears, copies, uploads, readbacks, dispatches, mips, GPU primitives. The thread that
 * declares the graph calls them.
 */
@NullMarked
package io.frameloom.rdg.utility;

import org.jspecify.annotations.NullMarked;

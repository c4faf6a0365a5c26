/**
 * Passes that many features need: clears, copies, uploads, readbacks, dispatches, mips, GPU primitives, and crossings
 * from one device to another. The thread that declares the graph calls them.
 */
@NullMarked
package io.frameloom.rdg.utility;

import org.jspecify.annotations.NullMarked;

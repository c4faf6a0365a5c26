/**
 * A range of frames that any number of processes render into one folder: which frames are to be rendered, with what
 * warm-up, and which ones are there.
 */
@NullMarked
package io.frameloom.rdg.tools.range;

import org.jspecify.annotations.NullMarked;

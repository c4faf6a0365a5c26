/** The virtual GPU at work: its objects, recording, and the graph of work that it executes. */
@NullMarked
package io.frameloom.gpu.virtual.device;

import org.jspecify.annotations.NullMarked;

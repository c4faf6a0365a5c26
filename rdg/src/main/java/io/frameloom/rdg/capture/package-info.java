/**
 * Pictures of the textures of a frame at any moment of it: a {@link io.frameloom.rdg.capture.Capture} says which, given to
 * {@link io.frameloom.rdg.diagnostics.RdgDiagnostics#withCaptures}, and {@link io.frameloom.rdg.FrameHandle#captures} gives what came back.
 */
@NullMarked
package io.frameloom.rdg.capture;

import org.jspecify.annotations.NullMarked;

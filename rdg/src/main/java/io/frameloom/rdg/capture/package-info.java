/**
 * Pictures of the textures of a frame, at any moment of it. Give a {@link io.frameloom.rdg.capture.Capture} to {@link
 * io.frameloom.rdg.diagnostics.RdgDiagnostics#withCaptures}; {@link io.frameloom.rdg.FrameHandle#captures} returns the
 * pictures.
 */
@NullMarked
package io.frameloom.rdg.capture;

import org.jspecify.annotations.NullMarked;

/**
 * Uploads and readbacks through staging memory of bounded size, on any backend: {@link
 * io.frameloom.gpu.transfer.Uploader} and {@link io.frameloom.gpu.transfer.Readbacks}. In a render graph {@code
 * io.frameloom.rdg.utility} has passes for both.
 */
@NullMarked
package io.frameloom.gpu.transfer;

import org.jspecify.annotations.NullMarked;

/**
 * Texture streaming: {@link io.frameloom.streaming.TextureStreamer} keeps in memory what frames look at, level by
 * level, under a budget. {@link io.frameloom.streaming.Ktx2File} reads the files.
 */
@NullMarked
package io.frameloom.streaming;

import org.jspecify.annotations.NullMarked;

/** Uploads and readbacks through staging memory of bounded size, on any backend. */
@NullMarked
package io.frameloom.gpu.transfer;

import org.jspecify.annotations.NullMarked;

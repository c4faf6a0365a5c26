/** The ring memory, batches and recorders of uploads and readbacks. */
@NullMarked
package io.frameloom.gpu.transfer.staging;

import org.jspecify.annotations.NullMarked;

/** How a program is found or made: memory, files, compilation, and the queue of what is written. */
@NullMarked
package io.frameloom.gpu.cache.level;

import org.jspecify.annotations.NullMarked;

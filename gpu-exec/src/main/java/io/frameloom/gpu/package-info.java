/** Backend-neutral contracts of GPU devices, queues, command lists and resources. */
@NullMarked
package io.frameloom.gpu;

import org.jspecify.annotations.NullMarked;

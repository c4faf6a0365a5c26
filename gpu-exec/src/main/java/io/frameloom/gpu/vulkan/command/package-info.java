/** Recording: command lists and the encoders that write to command buffers. */
@NullMarked
package io.frameloom.gpu.vulkan.command;

import org.jspecify.annotations.NullMarked;

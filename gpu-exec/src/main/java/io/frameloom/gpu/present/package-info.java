/** Surfaces and swapchains: how pictures come to a window. */
@NullMarked
package io.frameloom.gpu.present;

import org.jspecify.annotations.NullMarked;

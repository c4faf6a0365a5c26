/** What a program cache does with one program after another: look for it in memory and on disk, or make and keep it. */
@NullMarked
package io.frameloom.gpu.cache.program;

import org.jspecify.annotations.NullMarked;

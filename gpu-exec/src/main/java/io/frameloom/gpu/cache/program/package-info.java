/**
 * What a program cache does with one program after another. Internal. To read it, begin with these:
 *
 * <ol>
 *   <li>{@link io.frameloom.gpu.cache.program.ProgramKey}: what decides about a program, and the digest that names it;
 *   <li>{@code Request}: how a program is looked for in memory and on disk, or made by one of the threads that want it;
 *   <li>{@code MemoryLevel}: what is in memory, and what is known to compile;
 *   <li>{@code WriteQueue} and {@code ReadAhead}: what goes to disk and comes from there in the background;
 *   <li>{@link io.frameloom.gpu.cache.disk}: the folder, its files and the processes that share it.
 * </ol>
 *
 * <p>{@link io.frameloom.gpu.cache.program.ProgramDriver} is the seam to compilers and drivers, {@link
 * io.frameloom.gpu.cache.disk.StoreFiles} that to the file system.
 */
@NullMarked
package io.frameloom.gpu.cache.program;

import org.jspecify.annotations.NullMarked;

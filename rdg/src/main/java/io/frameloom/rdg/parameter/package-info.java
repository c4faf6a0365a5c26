/**
 * Annotations for the components of records that say how a pass uses what they hold:
 *
 * <pre>{@code
 * record Blur(
 *         @Sampled RdgTexture source,
 *         @Storage(Storage.Mode.OVERWRITE) RdgTextureView target,
 *         @Uniform RdgUniformBuffer camera,
 *         int radius) {}
 * }</pre>
 *
 * <p>{@link io.frameloom.rdg.PassBuilder#parameters} declares the uses. A component without annotation is plain data;
 * one that holds a handle must have an annotation. The class of a record is read once. In a named module, export its
 * package or open it to {@code io.frameloom.rdg}.
 */
@NullMarked
package io.frameloom.rdg.parameter;

import org.jspecify.annotations.NullMarked;

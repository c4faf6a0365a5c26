package io.frameloom.rdg.parameter;

import io.frameloom.gpu.pipeline.ShaderStage;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The pass samples it: a texture, a view of one, or a list of them.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Sampled {
    /**
     * Returns the stages that sample it. In a compute pass, those of ray-tracing pipelines stand for these, all others
     * for compute shaders. A raster pass has none of rays.
     */
    ShaderStage[] stages() default ShaderStage.FRAGMENT;

    /** Returns the name in the shader; that of the component if empty. */
    String binding() default "";
}

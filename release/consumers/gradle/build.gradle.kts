plugins {
    java
}

repositories {
    maven { url = uri(property("repository")!!) }
    mavenCentral()
}

dependencies {
    implementation(platform("io.frameloom:frameloom-bom:${property("frameloom")}"))
    implementation("io.frameloom:frameloom-rdg")
}

tasks.register("printClassPath") {
    dependsOn("classes")
    val path = sourceSets.main.get().runtimeClasspath
    doLast {
        println(path.asPath)
    }
}

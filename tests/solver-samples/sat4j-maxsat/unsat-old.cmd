java -jar /usr/share/java/org.ow2.sat4j.maxsat.jar in.wcnf
